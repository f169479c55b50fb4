//! Completion: items, their order, and the replaced range.

mod acceptance;
mod bolt;
mod dependencies;
mod erb;
mod functions;
mod names;
mod positions;
mod values;

use expect_test::Expect;

use crate::at_cursor;

/// Compares the replaced text, the items that start with it or with `only`, and the number of other items.
#[track_caller]
fn check(fixture: &str, only: &str, expected: Expect) {
    let shown = at_cursor(fixture, |analysis, file, offset, text| {
        let Some(found) = analysis.completions(file, offset).expect("nothing is cancelled") else {
            return "nothing\n".to_owned();
        };
        let mut shown = format!("[{}]\n", &text[found.range.as_range()]);
        for item in found.items.iter().filter(|it| it.label.starts_with(only)) {
            let inserted = item.snippet.as_ref().unwrap_or(&item.text);
            let inserted =
                if *inserted == item.label { "-".to_owned() } else { inserted.replace('\n', "⏎") };
            shown.push_str(&format!("{} {:?} {inserted}\n", item.label, item.kind));
        }
        shown
    });
    expected.assert_eq(&shown);
}

const SITE: &str = "\
//- environment: module_path=/m
//- /m/stdlib/types/ensure.pp
type Stdlib::Ensure = Enum['present', 'absent']
//- /m/web/manifests/params.pp
class web::params { $port = 80 $root = '/srv' }
//- /m/web/manifests/init.pp
# @summary A server.
# @param port Where it listens.
class web(Integer $port, Stdlib::Ensure $ensure = 'present', Boolean $tls = false, Enum['a', 'b'] $mode = 'a') { }
//- /m/web/manifests/site.pp
define web::site(String $docroot, Optional[Array[Enum['x', 'y']]] $flags = undef, Struct[{ host => String, Optional[port] => Integer }] $on = {}) { }
//- /m/web/functions/url.pp
function web::url() { '' }
//- /m/web/types/port.pp
type Web::Port = Integer
//- /m/web/templates/vhost.conf.epp
<%- | String $host, Integer $port = 80 | -%>
";

/// Compares the first items and the number of items.
#[track_caller]
fn first(fixture: &str, expected: Expect) {
    let fixture =
        if fixture.contains("//-") { fixture.to_owned() } else { format!("//- /main.pp open\n{fixture}") };
    let shown = at_cursor(&format!("{SITE}{fixture}"), |analysis, file, offset, text| {
        let Some(found) = analysis.completions(file, offset).expect("nothing is cancelled") else {
            return "nothing\n".to_owned();
        };
        let mut shown = format!("[{}] {}\n", &text[found.range.as_range()], found.items.len());
        for item in found.items.iter().take(6) {
            let inserted = item.snippet.as_ref().unwrap_or(&item.text).replace('\n', "⏎");
            let detail = item.detail.as_deref().unwrap_or("-");
            shown.push_str(&format!("{} | {:?} | {detail} | {inserted}\n", item.label, item.kind));
        }
        shown
    });
    expected.assert_eq(&shown);
}
