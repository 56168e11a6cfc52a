"""Logging in, and what becomes of tokens."""
from case import Case, delete, get, post

TOKENS = '/v3/auth/tokens'


def login(name, user, scope=None, body=None, **more):
    """A password login; `user` is the identity's user object."""
    auth = {'identity': {'methods': ['password'], 'password': {'user': user}}}
    if scope is not None:
        auth['scope'] = scope
    return post('login: ' + name, TOKENS, body or {'auth': auth}, to='keystone', user=None, **more)


def user(name, password=None):
    return {'name': f'${name}_name', 'domain': {'id': 'default'},
            'password': password or f'${name}_password'}


def project(name):
    return {'project': {'name': name, 'domain': {'id': 'default'}}}


def bad(name, body=None, **more):
    return post('login: ' + name, TOKENS, body, to='keystone', user=None, **more)


def rescope(name, token, scope=None, **more):
    auth = {'identity': {'methods': ['token'], 'token': {'id': token} if token else {}}}
    if scope is not None:
        auth['scope'] = scope
    return post('token: rescope ' + name, TOKENS, {'auth': auth}, to='keystone', user=None, **more)


ADMIN = user('admin')
PASSWORD = {'methods': ['password'], 'password': {'user': ADMIN}}

CASES = [
    login('project scope', ADMIN, project('$admin_project'),
          save={'token': 'header:X-Subject-Token'}),
    post('login: with ?nocatalog', TOKENS + '?nocatalog',
         {'auth': {'identity': PASSWORD, 'scope': project('$admin_project')}},
         to='keystone', user=None),
    login('project by id', ADMIN, {'project': {'id': '$admin_project_id'}}),
    login('user by id', {'id': '$admin_id', 'password': '$admin_password'},
          project('$admin_project')),
    login('domains by name', {'name': '$admin_name', 'domain': {'name': 'Default'},
                              'password': '$admin_password'},
          {'project': {'name': '$admin_project', 'domain': {'name': 'Default'}}}),
    login('system scope', ADMIN, {'system': {'all': True}}),
    login('no scope, no default project', ADMIN),
    login('no scope, a default project', user('demo')),
    login('said to be unscoped', user('demo'), 'unscoped'),
    login('domain scope without a role there', ADMIN, {'domain': {'id': 'default'}}),
    login('system scope without a role there', user('demo'), {'system': {'all': True}}),
    login('member', user('demo'), project('$demo_project')),
    login('reader', user('viewer'), project('$demo_project')),
    login('a role of no meaning', user('nobody'), project('$demo_project')),
    login('wrong password', user('admin', 'wrong'), project('$admin_project')),
    login('unknown user', {'name': 'nosuch', 'domain': {'id': 'default'}, 'password': 'x'},
          project('$admin_project')),
    login('unknown user by id', {'id': '0' * 32, 'password': 'x'}, project('$admin_project')),
    login('unknown project', ADMIN, project('nosuch')),
    login('unknown project by id', ADMIN, {'project': {'id': '0' * 32}}),
    login('no role in the project', user('demo'), project('$admin_project')),
    login('unknown domain', {'name': '$admin_name', 'domain': {'id': 'nosuch'},
                             'password': '$admin_password'}, project('$admin_project')),
    login('user by name without a domain', {'name': '$admin_name', 'password': '$admin_password'},
          project('$admin_project')),
    login('project by name without a domain', ADMIN, {'project': {'name': '$admin_project'}}),
    bad('no body'),
    bad('empty object', {}),
    bad('not JSON', raw='{'),
    bad('no identity', {'auth': {}}, look='status'),
    bad('a method that is not there', {'auth': {'identity': {'methods': ['foo']}}}),
    bad('a method without its part', {'auth': {'identity': {'methods': ['password']}}}),
    get('token: show', TOKENS, to='keystone', user='$token',
        headers={'X-Subject-Token': '$token'}),
    Case('token: head', 'HEAD', TOKENS, to='keystone', user='$token',
         headers={'X-Subject-Token': '$token'}),
    get('token: show without the subject', TOKENS, to='keystone'),
    get('token: show a garbage subject', TOKENS, to='keystone',
        headers={'X-Subject-Token': 'garbage'}),
    get('token: show with a garbage token', TOKENS, to='keystone', user=None,
        headers={'X-Auth-Token': 'garbage', 'X-Subject-Token': '$token'}),
    get('token: show without a token', TOKENS, to='keystone', user=None,
        headers={'X-Subject-Token': '$token'}),
    get('token: a member shows its own', TOKENS, to='keystone', user='demo',
        headers={'X-Subject-Token': '$token'}, look='status'),
    get('token: its catalog', '/v3/auth/catalog', to='keystone', user='$token'),
    get('token: works at neutron', '/v2.0/flavors', user='$token'),
    rescope('to the system', '$token', {'system': {'all': True}},
            save={'system_token': 'header:X-Subject-Token'}),
    rescope('a garbage one', 'garbage', project('$admin_project')),
    rescope('to the project', '$token', project('$admin_project'),
            save={'rescoped': 'header:X-Subject-Token'}),
    rescope('what was rescoped', '$rescoped', project('$admin_project')),
    rescope('without a scope', '$token'),
    rescope('to nothing', '$token', 'unscoped'),
    rescope('from the system to a project', '$system_token', project('$admin_project')),
    rescope('without an id', None, project('$admin_project'), look='status'),
    post('token: one more, to be revoked', TOKENS,
         {'auth': {'identity': PASSWORD, 'scope': project('$admin_project')}},
         to='keystone', user=None, save={'revoked': 'header:X-Subject-Token'}, look='status'),
    delete('token: revoke', TOKENS, to='keystone', user='$revoked',
           headers={'X-Subject-Token': '$revoked'}),
    get('token: show a revoked subject', TOKENS, to='keystone',
        headers={'X-Subject-Token': '$revoked'}),
    # No case uses it as X-Auth-Token at Keystone: one time in four Keystone's own cache answers 200.
    get('token: a revoked one at neutron', '/v2.0/flavors', user='$revoked'),
]
