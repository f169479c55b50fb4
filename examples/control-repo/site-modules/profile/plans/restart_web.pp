# Restarts the web servers one by one.
#
# @param targets Machines to restart.
# @param pause Seconds to wait between two machines.
plan profile::restart_web(
  TargetSpec $targets,
  Integer[0] $pause = 30,
) {
  get_targets($targets).each |$target| {
    $result = run_task('service', $target, action => 'restart', name => 'httpd', '_catch_errors' => true)
    unless $result.ok {
      fail_plan("${target.name} did not come back")
    }
    apply($target) {
      include profile::web
    }
    ctrl::sleep($pause)
  }
}
