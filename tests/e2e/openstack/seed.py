"""Users, projects, roles and the network endpoint, over Keystone's own API; idempotent.

Reads KEYSTONE_URL, NEUTRON_URL and OS_PASSWORD (admin's) from the environment.  The users:

    admin    project admin    role admin
    demo     project demo     role member
    viewer   project demo     role reader
    nobody   project demo     a role that no policy mentions
"""
import json
import os
import urllib.request

KEYSTONE = os.environ['KEYSTONE_URL'] + '/v3'
NEUTRON = os.environ['NEUTRON_URL']
USERS = (  # name, project, password, roles
    ('neutron', 'service', 'neutron-secret', ('admin', 'service')),
    ('demo', 'demo', 'demo-secret', ('member',)),
    ('viewer', 'demo', 'viewer-secret', ('reader',)),
    ('nobody', 'demo', 'nobody-secret', ('norole',)),
)


class Keystone:
    """An admin's session: `call` returns the headers and the parsed body of any 2xx."""

    def __init__(self, password):
        self.token = None
        headers, _ = self.call('POST', '/auth/tokens', {'auth': {
            'identity': {'methods': ['password'], 'password': {'user': {
                'name': 'admin', 'domain': {'id': 'default'}, 'password': password}}},
            'scope': {'project': {'name': 'admin', 'domain': {'id': 'default'}}}}})
        self.token = headers['X-Subject-Token']

    def call(self, method, path, body=None):
        request = urllib.request.Request(
            KEYSTONE + path, method=method, headers={'Content-Type': 'application/json'},
            data=None if body is None else json.dumps(body).encode())
        if self.token:
            request.add_header('X-Auth-Token', self.token)
        with urllib.request.urlopen(request, timeout=60) as answer:
            data = answer.read()
            return answer.headers, json.loads(data) if data else None

    def list(self, kind, query=''):
        return self.call('GET', f'/{kind}s{query}')[1][f'{kind}s']

    def ensure(self, kind, name, **attributes):
        """The id of the thing of that name, which is created if it is not there."""
        found = self.list(kind, f'?name={name}')
        if not found:
            found = [self.call('POST', f'/{kind}s', {kind: {'name': name, **attributes}})[1][kind]]
        return found[0]['id']

    def ensure_endpoints(self, service, url):
        """All three endpoints of a service at this URL; the port may have moved."""
        have = {e['interface']: e for e in self.list('endpoint', f'?service_id={service}')}
        for interface in ('public', 'internal', 'admin'):
            if interface not in have:
                self.call('POST', '/endpoints', {'endpoint': {
                    'service_id': service, 'interface': interface, 'url': url,
                    'region_id': 'RegionOne'}})
            elif have[interface]['url'] != url:
                self.call('PATCH', f'/endpoints/{have[interface]["id"]}',
                          {'endpoint': {'url': url}})


def main():
    keystone = Keystone(os.environ['OS_PASSWORD'])
    for name, project, password, roles in USERS:
        project_id = keystone.ensure('project', project, domain_id='default')
        user_id = keystone.ensure('user', name, domain_id='default', password=password,
                                  default_project_id=project_id)
        for role in roles:
            keystone.call('PUT', f'/projects/{project_id}/users/{user_id}'
                                 f'/roles/{keystone.ensure("role", role)}')
    keystone.ensure_endpoints(keystone.ensure('service', 'neutron', type='network'), NEUTRON)
    identity = keystone.list('service', '?type=identity')[0]['id']
    keystone.ensure_endpoints(identity, KEYSTONE + '/')


if __name__ == '__main__':
    main()
