//! Markdown of comments as HTML. Comments are not trusted: HTML in them is shown as text, and links and images
//! are reduced to their text unless they lead to a harmless address.

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// Starts of the addresses that links may lead to, in lower case.
const LINKED: [&str; 4] = ["http://", "https://", "mailto:", "#"];

/// Returns a comment as HTML blocks.
pub(super) fn blocks(comment: &str) -> String {
    let mut text = String::new();
    html::push_html(&mut text, trusted_events(comment).into_iter());
    text
}

/// Returns a comment as HTML without the paragraph around it, if it is a single one.
pub(super) fn inline(comment: &str) -> String {
    let text = blocks(comment);
    let text = text.trim();
    match text.strip_prefix("<p>").and_then(|it| it.strip_suffix("</p>")) {
        Some(inner) if !inner.contains("<p>") => inner.to_owned(),
        _ => text.to_owned(),
    }
}

/// Returns a comment as HTML for the inside of a paragraph: its text, code, and emphasis.
pub(super) fn phrase(comment: &str) -> String {
    let kept = |event| match event {
        Event::Start(Tag::Emphasis | Tag::Strong)
        | Event::End(TagEnd::Emphasis | TagEnd::Strong)
        | Event::Text(_)
        | Event::Code(_) => Some(event),
        // The texts of two blocks or cells remain apart.
        Event::End(TagEnd::Link | TagEnd::Image) | Event::Start(_) => None,
        _ => Some(Event::SoftBreak),
    };
    let mut text = String::new();
    html::push_html(&mut text, trusted_events(comment).into_iter().filter_map(kept));
    text.trim_end().to_owned()
}

fn trusted_events(comment: &str) -> Vec<Event<'_>> {
    // For each open link, whether it is kept.
    let mut links = Vec::new();
    let mut event = |event| {
        Some(match event {
            Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
            Event::Start(Tag::HtmlBlock) => Event::Start(Tag::Paragraph),
            Event::End(TagEnd::HtmlBlock) => Event::End(TagEnd::Paragraph),
            Event::Start(Tag::Heading { .. }) => Event::Start(heading()),
            Event::End(TagEnd::Heading(_)) => Event::End(TagEnd::Heading(HeadingLevel::H6)),
            // Alignment would need inline styles.
            Event::Start(Tag::Table(columns)) => {
                Event::Start(Tag::Table(vec![pulldown_cmark::Alignment::None; columns.len()]))
            }
            Event::Start(Tag::CodeBlock(_)) => {
                Event::Start(Tag::CodeBlock(pulldown_cmark::CodeBlockKind::Indented))
            }
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                links.push(may_lead_to(&dest_url));
                if links.last() != Some(&true) {
                    return None;
                }
                Event::Start(Tag::Link { link_type, dest_url, title, id })
            }
            Event::End(TagEnd::Link) if links.pop() != Some(true) => return None,
            // The alternative text is left.
            Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => return None,
            other => other,
        })
    };
    Parser::new_ext(comment, Options::ENABLE_TABLES).filter_map(&mut event).collect()
}

/// Headings of comments are below those of the page.
fn heading() -> Tag<'static> {
    Tag::Heading {
        level: HeadingLevel::H6,
        id: None::<CowStr<'static>>,
        classes: Vec::new(),
        attrs: Vec::new(),
    }
}

/// Returns true for addresses that a link may have.
pub(super) fn may_lead_to(address: &str) -> bool {
    let start = address.get(..8).unwrap_or(address).to_ascii_lowercase();
    LINKED.iter().any(|it| start.starts_with(it))
}
