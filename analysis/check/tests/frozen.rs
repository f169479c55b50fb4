//! A workspace that is read once, with most results evicted on the way, has the same findings as one in an
//! editor.

use check::{Diagnostic, Tier, diagnostics, set_lru_capacities};
use project::testing::TestWorkspace;
use salsa::Database;

use crate::scale::modules;

const CONTROL_REPOSITORY: &str = r#"
//- environment: roots=/control
//- /control/environment.conf
modulepath = site:modules
//- /control/hiera.yaml
version: 5
hierarchy:
  - name: all
    path: common.yaml
//- /control/data/common.yaml
profile::web::port: eighty
profile::web::prot: 80
lookup_options:
  profile::other: { merge: unique }
//- /control/manifests/site.pp
$everywhere = 1
node default {
  include profile::web
  include missing::module
}
//- /control/site/profile/manifests/web.pp
class profile::web(Integer $port = 80, String $unused = '') {
  $read_in_template = 1
  $never_read = 2
  file { '/etc/web': content => template('profile/web.erb') }
  profile::thing { 'x': }
  notice($port + 'x', $everywhere, $nothing, profile::double(1, 2))
}
//- /control/site/profile/manifests/thing.pp
define profile::thing($size) { include profile::wbe }
//- /control/site/profile/functions/double.pp
function profile::double(Integer $x) { $x * 2 }
//- /control/site/profile/templates/web.erb
<%= @read_in_template %> <%= @read_in_tmplate %>
//- /control/site/profile/templates/other.conf
anything
//- /control/modules/far/manifests/init.pp
class far inherits profile::web {
  $x = $profile::web::port
  if $x == 1 { fail('x') } else { $y = $x + [] }
}
//- /control/modules/far/lib/facter/own.rb
Facter.add(:own_fact) { setcode { 1 } }
//- /control/modules/far/manifests/facts.pp
class far::facts { notice($facts['own_fact'], $facts['own_fcat'], $facts['os']['famly']) }
//- /control/modules/broken/manifests/init.pp
class broken { $x = [1, 2 }
"#;

fn found(workspace: &mut TestWorkspace, evicts: bool) -> Vec<(String, Vec<Diagnostic>)> {
    let files: Vec<_> = workspace.vfs.table().all_files().collect();
    let mut found = Vec::new();
    for file in files {
        let mut of_file = Vec::new();
        for tier in Tier::ALL {
            of_file.extend(diagnostics(&workspace.db, file, tier));
        }
        found.push((file.path(&workspace.db).to_string(), of_file));
        if evicts {
            workspace.db.trigger_lru_eviction();
        }
    }
    found
}

#[test]
fn frozen_workspaces_have_the_same_diagnostics() {
    for fixture in [CONTROL_REPOSITORY, &modules(7).replace(" open\n", "\n")] {
        let expected = found(&mut TestWorkspace::new(fixture), false);
        assert!(expected.iter().any(|(_, of_file)| !of_file.is_empty()));
        let mut frozen = TestWorkspace::frozen(fixture);
        set_lru_capacities(&mut frozen.db, 1);
        assert_eq!(found(&mut frozen, true), expected);
    }
}
