# shellcheck shell=bash
# The servers' configuration, on stdout.  Needs the variables that up.sh sets.
#
# What differs from a stock installation: bcrypt rounds (logins would cost 0.4 s each), quotas
# off, small id ranges, no broker (transport_url fake:/), no agents.  Scope and the new default
# policies are enforced, as both projects do by default.

keystone_conf() {
    cat <<CONF
[DEFAULT]
log_file = $LOG/keystone.log
use_stderr = false
public_endpoint = $KEYSTONE_URL
[database]
connection = $KEYSTONE_DB
[token]
provider = fernet
[fernet_tokens]
key_repository = $VAR/keystone-keys/fernet
[credential]
key_repository = $VAR/keystone-keys/credential
[identity]
password_hash_rounds = $BCRYPT_ROUNDS
[cache]
enabled = true
backend = oslo_cache.dict
[oslo_policy]
enforce_scope = true
enforce_new_defaults = true
CONF
    [ ! -s "$ROOT/keystone.extra.conf" ] || cat "$ROOT/keystone.extra.conf"
}

neutron_conf() {
    cat <<CONF
[DEFAULT]
core_plugin = ml2
# flavors, tag, revisions, timestamp and auto_allocate load by themselves
service_plugins = router,segments,network_segment_range,trunk,qos,port_forwarding
api_paste_config = $ETC/neutron/api-paste.ini
auth_strategy = keystone
transport_url = fake:/
state_path = $VAR/neutron
log_file = $LOG/neutron.log
use_stderr = false
dhcp_agent_notification = false
notify_nova_on_port_status_changes = false
notify_nova_on_port_data_changes = false
[database]
connection = $NEUTRON_DB
[keystone_authtoken]
www_authenticate_uri = $KEYSTONE_URL
auth_url = $KEYSTONE_URL
auth_type = password
username = neutron
password = neutron-secret
project_name = service
user_domain_name = Default
project_domain_name = Default
region_name = RegionOne
service_token_roles_required = true
# what the access rules of application credentials are matched against
service_type = network
[oslo_concurrency]
lock_path = $VAR/neutron/lock
[oslo_messaging_notifications]
driver = noop
[oslo_policy]
enforce_scope = true
enforce_new_defaults = true
[quotas]
quota_network = -1
quota_subnet = -1
quota_port = -1
quota_router = -1
[ml2]
type_drivers = flat,vlan,vxlan,gre,geneve,local
project_network_types = vxlan
mechanism_drivers = openvswitch
extension_drivers = port_security,qos
[ml2_type_flat]
flat_networks = *
[ml2_type_vlan]
network_vlan_ranges = physnet1:100:199,physnet2
[ml2_type_vxlan]
vni_ranges = 1000:1099
[ml2_type_gre]
tunnel_id_ranges = 1000:1099
[ml2_type_geneve]
vni_ranges = 1000:1099
CONF
    [ ! -s "$ROOT/neutron.extra.conf" ] || cat "$ROOT/neutron.extra.conf"
}

clouds_yaml() { # one cloud for each user
    local user project password
    echo "clouds:"
    while read -r user project password; do
        cat <<CLOUD
  local-$user:
    region_name: RegionOne
    identity_api_version: 3
    auth:
      auth_url: $KEYSTONE_URL/v3
      username: $user
      password: $password
      project_name: $project
      user_domain_name: Default
      project_domain_name: Default
CLOUD
    done <<USERS
admin admin $OS_PASSWORD
demo demo demo-secret
viewer demo viewer-secret
nobody demo nobody-secret
USERS
}
