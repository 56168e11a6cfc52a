"""Application credentials: made, used to log in, expired, gone."""
from case import delete, get, post

TOKENS = '/v3/auth/tokens'
ADMINS = '/v3/users/$admin_id/application_credentials'
DEMOS = '/v3/users/$demo_id/application_credentials'


def create(name, body, user='admin', path=ADMINS, **more):
    return post('app credential: ' + name, path, {'application_credential': body},
                to='keystone', user=user, **more)


def login(name, credential, scope=None, **more):
    auth = {'identity': {'methods': ['application_credential'],
                         'application_credential': credential}}
    if scope is not None:
        auth['scope'] = scope
    return post('app credential: ' + name, TOKENS, {'auth': auth}, to='keystone', user=None, **more)


def rescope(token, scope=None):
    auth = {'identity': {'methods': ['token'], 'token': {'id': token}}}
    return {'auth': auth if scope is None else auth | {'scope': scope}}


def by_id(name):
    return {'id': f'${name}_cred', 'secret': f'${name}_secret'}


def kept(name):
    return {f'{name}_cred': 'application_credential.id',
            f'{name}_secret': 'application_credential.secret'}


CASES = [
    create('create', {'name': 'parity-a'}, save=kept('a')),
    create('same name again', {'name': 'parity-a'}),
    create('no name', {}),
    create('own secret and description', {'name': 'parity-b', 'secret': 'chosen-secret',
                                          'description': 'd', 'unrestricted': False},
           save=kept('b')),
    create('roles', {'name': 'parity-c', 'roles': [{'name': 'reader'}]}, save=kept('c')),
    create('a role that one has not', {'name': 'parity-d', 'roles': [{'name': 'admin'}]},
           user='demo', path=DEMOS),
    create('expired at birth', {'name': 'parity-e', 'expires_at': '2020-01-01T00:00:00Z'}),
    create('for another user', {'name': 'parity-f'}, user='demo'),
    create('of a member', {'name': 'parity-g'}, user='demo', path=DEMOS, save=kept('g')),
    create('without a token', {'name': 'parity-h'}, user=None),
    create('of a system token', {'name': 'parity-i'}, user='system'),
    create('of an unscoped token', {'name': 'parity-l'}, user='unscoped', save=kept('l')),
    create('a role that implies one', {'name': 'parity-m', 'roles': [{'name': 'member'}]}),
    create('an unknown role', {'name': 'parity-n', 'roles': [{'name': 'nosuch'}]}),
    create('an unknown role by id', {'name': 'parity-o', 'roles': [{'id': '0' * 32}]}),
    get('app credential: show', ADMINS + '/$a_cred', to='keystone'),
    get('app credential: show an unknown one', ADMINS + '/' + '0' * 32, to='keystone'),
    get('app credential: list', ADMINS, to='keystone'),
    get('app credential: list by name', ADMINS + '?name=parity-b', to='keystone'),
    get('app credential: list as the system', ADMINS, to='keystone', user='system', look='status'),
    get('app credential: admin lists the member\'s', DEMOS, to='keystone'),
    get('app credential: admin shows the member\'s', DEMOS + '/$g_cred', to='keystone'),
    get('app credential: member lists the admin\'s', ADMINS, to='keystone', user='demo'),
    get('app credential: member shows the admin\'s', ADMINS + '/$a_cred', to='keystone',
        user='demo'),
    delete('app credential: member deletes the admin\'s', ADMINS + '/$a_cred', to='keystone',
           user='demo'),
    login('login by id', by_id('a'), save={'a_token': 'header:X-Subject-Token'}),
    login('login by name and user', {'name': 'parity-a', 'secret': '$a_secret', 'user': {
        'name': '$admin_name', 'domain': {'id': 'default'}}}),
    login('login by name and user id', {'name': 'parity-a', 'secret': '$a_secret',
                                        'user': {'id': '$admin_id'}}),
    login('login with the own secret', by_id('b')),
    login('login of the reader', by_id('c'), save={'c_token': 'header:X-Subject-Token'}),
    login('login of the member', by_id('g'), save={'g_token': 'header:X-Subject-Token'}),
    login('login of the one without a project', by_id('l')),
    login('login, wrong secret', {'id': '$a_cred', 'secret': 'wrong'}),
    login('login, no secret', {'id': '$a_cred'}),
    login('login, unknown id', {'id': '0' * 32, 'secret': 'x'}),
    login('login, unknown name', {'name': 'nosuch', 'secret': 'x', 'user': {'id': '$admin_id'}}),
    login('login, no name and no id', {'secret': 'x'}),
    login('login, name without a user', {'name': 'parity-a', 'secret': '$a_secret'}),
    login('login with a scope', by_id('a'), {'project': {'id': '$admin_project_id'}}),
    get('app credential: token shown', TOKENS, to='keystone', user='$a_token',
        headers={'X-Subject-Token': '$a_token'}),
    get('app credential: token at neutron', '/v2.0/flavors', user='$a_token'),
    post('app credential: token rescoped', TOKENS, rescope('$a_token', {
        'project': {'id': '$admin_project_id'}}), to='keystone', user=None),
    post('app credential: token rescoped without a scope', TOKENS, rescope('$a_token'),
         to='keystone', user=None),
    get('app credential: list with its token', ADMINS, to='keystone', user='$a_token',
        look='status'),
    delete('app credential: delete with its token', ADMINS + '/$b_cred', to='keystone',
           user='$a_token'),
    create('unrestricted', {'name': 'parity-p', 'unrestricted': True}, save=kept('p')),
    login('login of the unrestricted', by_id('p'), save={'p_token': 'header:X-Subject-Token'}),
    create('made by an unrestricted one', {'name': 'parity-q'}, user='$p_token', save=kept('q')),
    delete('app credential: deleted by an unrestricted one', ADMINS + '/$q_cred', to='keystone',
           user='$p_token'),
    create('made by a restricted one', {'name': 'parity-j'}, user='$a_token'),
    post('app credential: reader creates a flavor', '/v2.0/flavors',
         {'flavor': {'service_type': 'L3_ROUTER_NAT'}}, user='$c_token'),
    get('app credential: member lists profiles', '/v2.0/service_profiles', user='$g_token'),
    delete('app credential: delete', ADMINS + '/$b_cred', to='keystone'),
    delete('app credential: delete again', ADMINS + '/$b_cred', to='keystone'),
    login('login with a deleted one', by_id('b')),
    delete('app credential: delete the one with a token', ADMINS + '/$g_cred', to='keystone',
           look='status'),
    delete('app credential: delete as its member', DEMOS + '/$g_cred', to='keystone', user='demo'),
    get('app credential: token of a deleted one', TOKENS, to='keystone', user='$g_token',
        headers={'X-Subject-Token': '$g_token'}),
    post('app credential: rescope the token of a deleted one', TOKENS, rescope('$g_token'),
         to='keystone', user=None),
    create('soon expired', {'name': 'parity-k', 'expires_at': '$soon'}, save=kept('k')),
    login('login before it expires', by_id('k'), save={'k_token': 'header:X-Subject-Token'}),
    get('app credential: its token before it expires', '/v2.0/flavors', user='$k_token'),
    login('login after it expired', by_id('k'), wait=6),
    get('app credential: expired token at neutron', '/v2.0/flavors', user='$k_token'),
    get('app credential: expired token at keystone', TOKENS, to='keystone', user='$k_token',
        headers={'X-Subject-Token': '$a_token'}),
    post('app credential: rescope an expired token', TOKENS, rescope('$k_token'), to='keystone',
         user=None),
    get('app credential: expired token as the subject', TOKENS, to='keystone',
        headers={'X-Subject-Token': '$k_token'}),
]
