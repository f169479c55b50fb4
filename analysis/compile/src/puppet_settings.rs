//! Puppet's settings, as seen by programs.

use project::{Db, Environment};
use smol_str::SmolStr;
use types::{Origin, Type, Value};

use crate::compile_request::{CompileRequest, EntryPoint};
use eval::EvaluationSettings;

/// Names of all settings of a server.
const SETTING_NAMES: &str = "agent_catalog_run_lockfile agent_disabled_lockfile allow_duplicate_certs always_retry_plugins autoflush autosign \
basemodulepath binder_config bucketdir ca_fingerprint ca_name ca_port ca_server ca_ttl cacert cacrl cadir cakey capub \
catalog_cache_terminus catalog_terminus cert_inventory certdir certificate_revocation certname ciphers classfile \
client_datadir clientbucketdir clientyamldir code codedir color confdir config config_file_name config_version \
configprint crl_refresh_interval csr_attributes csrdir daemonize data_binding_terminus default_file_terminus \
default_manifest default_schedules deviceconfdir deviceconfig devicedir diff diff_args digest_algorithm disable_i18n \
disable_per_environment_manifest disable_warnings dns_alt_names document_all environment environment_data_provider \
environment_timeout environmentpath evaltrace exclude_unchanged_resources external_nodes fact_name_length_soft_limit \
fact_value_length_soft_limit factpath facts_terminus fileserverconfig filetimeout forge_authorization freeze_main \
genconfig genmanifest graph graphdir group hiera_config hostcert hostcrl hostcsr hostprivkey hostpubkey \
http_connect_timeout http_debug http_extra_headers http_keepalive_timeout http_proxy_host http_proxy_password \
http_proxy_port http_proxy_user http_read_timeout http_user_agent ignore_plugin_errors ignoremissingtypes \
ignoreschedules include_legacy_facts key_type keylength lastrunfile lastrunreport ldapattrs ldapbase ldapclassattrs \
ldapparentattr ldappassword ldapport ldapserver ldapssl ldapstackedattrs ldapstring ldaptls ldapuser libdir \
localcacert localedest localesource location_trusted log_level logdest logdir manage_internal_file_permissions \
manifest masterport max_deprecations max_errors max_warnings maximum_uid maxwaitforcert maxwaitforlock \
merge_dependency_warnings mkusers module_groups module_repository module_working_dir modulepath named_curve no_proxy \
node_cache_terminus node_name_fact node_name_value node_terminus noop number_of_facts_soft_limit onetime passfile path \
payload_soft_limit pidfile plugindest pluginfactdest pluginfactsource pluginsignore pluginsource pluginsync \
postrun_command preferred_serialization_format preprocess_deferred prerun_command preview_outputdir priority \
privatedir privatekeydir profile publicdir publickeydir puppet_trace puppetdlog report report_include_system_store \
report_port report_server reportdir reports reporturl requestdir resourcefile resubmit_facts rich_data route_file \
rundir runinterval runtimeout serial server server_datadir server_list serverport settings_catalog show_diff signeddir \
skip_tags sourceaddress splay splaylimit srv_domain ssl_client_header ssl_client_verify_header ssl_lockfile \
ssl_trust_store ssldir statedir statefile statettl static_catalogs storeconfigs storeconfigs_backend strict \
strict_environment_mode strict_variables summarize supported_checksum_types syslogfacility tags tasks \
top_level_facts_soft_limit trace transactionstorefile trusted_external_command trusted_oid_mapping_file \
use_cached_catalog use_last_environment use_srv_records usecacheonfailure user vardir vendormoduledir \
versioned_environment_dirs waitforcert waitforlock write_catalog_summary yamldir";

/// Returns `$settings::all_local`, with the known values.
pub(crate) fn all_settings(known: &[(&'static str, Value)]) -> Value {
    let value = |name: &str| known.iter().find(|(it, _)| *it == name).map(|(_, value)| value.clone());
    let unknown = || Value::unknown(Type::Any, Origin::Fact);
    Value::hash(
        SETTING_NAMES.split(' ').map(|name| (Value::string(name), value(name).unwrap_or_else(unknown))),
    )
}

/// Returns `$settings::...`, as far as it does not depend on the machine.
pub(crate) fn puppet_settings(
    db: &dyn Db,
    environment: Environment,
    request: &CompileRequest,
) -> Vec<(&'static str, Value)> {
    let settings = request.settings.unwrap_or_else(|| super::puppet_settings::settings_of(db, environment));
    let strict = match settings.strict {
        validation::Strict::Off => "off",
        validation::Strict::Warning => "warning",
        validation::Strict::Error => "error",
    };
    let manifest = match (&request.entry, environment.root(db)) {
        (EntryPoint::MainManifest, Some(root)) => Value::string(root.join("manifests").to_native()),
        _ => Value::string("no_manifest"),
    };
    let mut module_path: Vec<SmolStr> = Vec::new();
    for module in environment.modules(db).values() {
        let folder = module.root(db).parent().map(|it| SmolStr::from(it.to_native()));
        let is_own = Some(module.root(db)) == environment.root(db).as_ref();
        module_path.extend(folder.filter(|folder| !is_own && !module_path.contains(folder)));
    }
    let separator = if cfg!(windows) { ";" } else { ":" };
    vec![
        ("strict", Value::string(strict)),
        ("strict_variables", Value::Boolean(settings.strict_variables)),
        ("environment", Value::String(request.environment_name.clone())),
        ("certname", Value::unknown(Type::STRING, Origin::Fact)),
        ("server", Value::string("puppet")),
        ("manifest", manifest),
        ("modulepath", Value::string(module_path.join(separator))),
        ("storeconfigs", Value::Boolean(false)),
        ("confdir", Value::string("/etc/puppetlabs/puppet")),
        ("codedir", Value::string("/etc/puppetlabs/code")),
    ]
}

/// Returns the evaluation settings of an environment.
pub(crate) fn settings_of(db: &dyn Db, environment: Environment) -> EvaluationSettings {
    let version = EvaluationSettings::of(environment.puppet_version(db));
    EvaluationSettings { strict: environment.strict(db), storeconfigs: true, ..version }
}
