"""What users other than a project's admin may see and do.

Each of them meets a flavor with a bound and a free profile; nothing that they do changes these,
so that the next one meets the same.
"""
from case import NO_ID, SINGLE, delete, get, post, put

FLAVORS = '/v2.0/flavors'
PROFILES = '/v2.0/service_profiles'
L3 = 'L3_ROUTER_NAT'

SET_UP = [
    post('roles: the flavor', FLAVORS, {'flavor': {'name': 'roles', 'service_type': L3}},
         save={'rf': 'flavor.id'}),
    post('roles: the bound profile', PROFILES, {'service_profile': {'driver': SINGLE}},
         save={'rb': 'service_profile.id'}),
    post('roles: the free profile', PROFILES, {'service_profile': {'driver': SINGLE}},
         save={'rp': 'service_profile.id'}),
    post('roles: bind', FLAVORS + '/$rf/service_profiles', {'service_profile': {'id': '$rb'}}),
]


def all_of(user):
    def named(text):
        return f'roles, {user}: {text}'
    return [
        get(named('list flavors'), FLAVORS + '?name=roles', user=user),
        get(named('list all flavors'), FLAVORS + '?fields=id', user=user),
        get(named('show flavor'), FLAVORS + '/$rf', user=user),
        get(named('show unknown flavor'), f'{FLAVORS}/{NO_ID}', user=user),
        get(named('list profiles'), PROFILES, user=user),
        # Neutron makes the links after it has filtered: a page of nothing has no next
        get(named('a page of profiles'), PROFILES + '?limit=2', user=user),
        get(named('a page of flavors'), FLAVORS + '?limit=1&name=roles', user=user),
        get(named('show profile'), PROFILES + '/$rb', user=user),
        get(named('show unknown profile'), f'{PROFILES}/{NO_ID}', user=user),
        post(named('create flavor'), FLAVORS, {'flavor': {'name': 'x', 'service_type': L3}},
             user=user),
        post(named('create invalid flavor'), FLAVORS, {'flavor': {'service_type': 'FOO'}},
             user=user),
        post(named('create flavor without a type'), FLAVORS, {'flavor': {}}, user=user),
        put(named('update flavor'), FLAVORS + '/$rf', {'flavor': {'name': 'x'}}, user=user),
        put(named('update unknown flavor'), f'{FLAVORS}/{NO_ID}', {'flavor': {'name': 'x'}},
            user=user),
        delete(named('delete flavor'), FLAVORS + '/$rf', user=user),
        delete(named('delete unknown flavor'), f'{FLAVORS}/{NO_ID}', user=user),
        post(named('create profile'), PROFILES, {'service_profile': {'driver': SINGLE}},
             user=user),
        post(named('create profile, unknown driver'), PROFILES,
             {'service_profile': {'driver': 'foo'}}, user=user),
        put(named('update free profile'), PROFILES + '/$rp',
            {'service_profile': {'description': 'x'}}, user=user),
        put(named('update bound profile'), PROFILES + '/$rb',
            {'service_profile': {'description': 'x'}}, user=user),
        delete(named('delete free profile'), PROFILES + '/$rp', user=user),
        delete(named('delete bound profile'), PROFILES + '/$rb', user=user),
        post(named('bind'), FLAVORS + '/$rf/service_profiles', {'service_profile': {'id': '$rp'}},
             user=user),
        post(named('bind again'), FLAVORS + '/$rf/service_profiles',
             {'service_profile': {'id': '$rb'}}, user=user),
        delete(named('unbind'), FLAVORS + '/$rf/service_profiles/$rb', user=user),
        delete(named('unbind what is not bound'), FLAVORS + '/$rf/service_profiles/$rp', user=user),
        get(named('service providers'), '/v2.0/service-providers', user=user),
        get(named('routers'), '/v2.0/routers?fields=name', user=user),
    ]


def may_create_router(user):
    return post(f'roles, {user}: create router', '/v2.0/routers',
                {'router': {'name': f'of {user}', 'flavor_id': '$rf'}}, user=user)


CASES = SET_UP + [
    *all_of('demo'), may_create_router('demo'),
    *all_of('viewer'), may_create_router('viewer'),
    *all_of('nobody'), may_create_router('nobody'),
    *all_of('system'), *all_of('unscoped'),
    get('roles: admin lists the routers', '/v2.0/routers?fields=name'),
    get('roles: the flavor is as it was', FLAVORS + '/$rf'),
    get('roles: the free profile is as it was', PROFILES + '/$rp'),
    get('users: a member lists users', '/v3/users', to='keystone', user='demo'),
    get('users: by name', '/v3/users?name=demo', to='keystone'),
    get('users: project by name', '/v3/projects?name=demo', to='keystone'),
    get('users: a project', '/v3/projects/$demo_project_id', to='keystone'),
    get('users: by name of none', '/v3/users?name=nosuch', to='keystone'),
    get('users: a member lists projects', '/v3/projects', to='keystone', user='demo'),
    get('users: unknown project', '/v3/projects/nosuch', to='keystone'),
]
