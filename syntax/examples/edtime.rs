use std::sync::Arc;
use std::time::Instant;
use syntax::{Language, parse};
fn main() {
    for f in std::env::args().skip(1) {
        let text: Arc<str> = std::fs::read_to_string(&f).unwrap().into();
        let t = Instant::now();
        let p0 = parse(&text, Language::Manifest);
        println!("{f} fresh {:?} errors {} ", t.elapsed(), p0.errors().len());
        for kind in ["comment", "string", "name", "brace"] {
            let mut places = vec![];
            let mut off = 0;
            for l in text.split_inclusive('\n') {
                let s = l.trim_end_matches('\n');
                let t = s.trim_start();
                let at = match kind {
                    "comment" if t.starts_with('#') && t.len() > 5 => Some(s.len()),
                    "string" if !s.contains('#') => s
                        .find('\'')
                        .filter(|i| s[i + 1..].contains('\'') && !s[i + 1..].starts_with('\''))
                        .map(|i| i + 2),
                    "name" if !s.contains('#') && !s.contains('\'') && !s.contains('"') => {
                        s.find("=>").map(|i| s[..i].trim_end().len()).filter(|i| *i > 0)
                    }
                    "brace" if !s.contains('#') && !s.contains('\'') && !s.contains('"') && !t.is_empty() => {
                        Some(s.len())
                    }
                    _ => None,
                };
                if let Some(a) = at {
                    places.push(off + a)
                }
                off += l.len();
            }
            if places.is_empty() {
                continue;
            }
            let mut times = vec![];
            let mut x = 12345usize;
            let mut p = p0.clone();
            let mut bad = vec![];
            for _ in 0..300 {
                x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let at = places[(x >> 33) % places.len()];
                if !text.is_char_boundary(at) {
                    continue;
                }
                let new: Arc<str> =
                    [&text[..at], if kind == "brace" { "{" } else { "x" }, &text[at..]].concat().into();
                let t = Instant::now();
                let q = p.edited(&new);
                let a = t.elapsed();
                let t = Instant::now();
                p = q.edited(&text);
                let b = t.elapsed();
                times.push(a);
                times.push(b);
                if a.as_micros() > 1500 || b.as_micros() > 1500 {
                    bad.push((text[..at].matches('\n').count() + 1, a, b));
                }
            }
            times.sort();
            println!(
                "  {kind}: median {:?} p95 {:?} max {:?} slow {} {:?}",
                times[times.len() / 2],
                times[times.len() * 95 / 100],
                times[times.len() - 1],
                bad.len(),
                &bad[..bad.len().min(6)]
            );
        }
    }
}
