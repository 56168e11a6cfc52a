"""Routers of flavors, as far as they say whether a flavor is in use.

`$fa` is bound to `$pa` here (associations.py).
"""
from case import NO_ID, delete, get, post, put

ROUTERS = '/v2.0/routers'
FLAVORS = '/v2.0/flavors'
PROFILES = '/v2.0/service_profiles'
L3 = 'L3_ROUTER_NAT'


def create(name, router, **more):
    return post('router create: ' + name, ROUTERS, {'router': router}, **more)


def flavor(name, key, **more):
    return post('router: ' + name, FLAVORS,
                {'flavor': {'name': key, 'service_type': L3, **more}}, save={key: 'flavor.id'})


def bind(name, flavor_id, profile):
    return post('router: ' + name, f'{FLAVORS}/{flavor_id}/service_profiles',
                {'service_profile': {'id': profile}})


CASES = [
    create('no flavor', {'name': 'r0'}, save={'r0': 'router.id'}),
    create('with the flavor', {'name': 'r1', 'flavor_id': '$fa'}, save={'r1': 'router.id'}),
    flavor('a disabled flavor', 'foff', enabled=False),
    bind('bind the disabled flavor', '$foff', '$pa'),
    create('with the disabled flavor', {'name': 'r2', 'flavor_id': '$foff'},
           save={'r2': 'router.id'}),
    flavor('a flavor of a disabled profile', 'fpoff'),
    bind('bind the disabled profile', '$fpoff', '$poff'),
    create('with the disabled profile', {'name': 'r3', 'flavor_id': '$fpoff'}),
    flavor('a flavor without a profile', 'fbare'),
    create('without a profile', {'name': 'r4', 'flavor_id': '$fbare'}),
    bind('bind a profile of metainfo alone', '$fbare', '$pm'),
    create('with metainfo alone', {'name': 'r5', 'flavor_id': '$fbare'}),
    create('with the QOS flavor', {'name': 'r6', 'flavor_id': '$fq'}, save={'r6': 'router.id'}),
    create('unknown flavor', {'name': 'r7', 'flavor_id': NO_ID}),
    create('flavor not an id', {'name': 'r8', 'flavor_id': 'foo'}),
    create('flavor empty', {'name': 'r8', 'flavor_id': ''}),
    create('flavor null', {'name': 'r9', 'flavor_id': None}),
    create('unknown attribute', {'name': 'r9', 'colour': 'red'}),
    get('router: show', ROUTERS + '/$r1'),
    get('router: show unknown', f'{ROUTERS}/{NO_ID}'),
    get('router: list', ROUTERS),
    get('router: list by name', ROUTERS + '?name=r1'),
    get('router: list of two fields', ROUTERS + '?fields=name&fields=flavor_id'),
    get('router: list by flavor', ROUTERS + '?flavor_id=$fa'),
    put('router: rename', ROUTERS + '/$r1', {'router': {'name': 'r1 again'}}, look='status'),
    put('router: change the flavor', ROUTERS + '/$r1', {'router': {'flavor_id': '$fq'}}),
    put('in use: rename the flavor', FLAVORS + '/$fa', {'flavor': {'name': 'used'}}),
    put('in use: disable the flavor', FLAVORS + '/$fa', {'flavor': {'enabled': False}}),
    delete('in use: delete the flavor', FLAVORS + '/$fa'),
    delete('in use: delete the profile', PROFILES + '/$pa'),
    delete('in use: unbind', FLAVORS + '/$fa/service_profiles/$pa'),
    get('in use: the router shows its flavor', ROUTERS + '/$r1?fields=flavor_id'),
    create('after the unbinding', {'name': 'r10', 'flavor_id': '$fa'}),
    delete('in use: delete the bare flavor', FLAVORS + '/$fa'),
    delete('router: delete', ROUTERS + '/$r1'),
    delete('router: delete again', ROUTERS + '/$r1'),
    delete('in use: delete the flavor at last', FLAVORS + '/$fa'),
    delete('in use: delete the QOS flavor', FLAVORS + '/$fq'),
    delete('router: delete the other', ROUTERS + '/$r6', look='status'),
    delete('in use: delete the QOS flavor at last', FLAVORS + '/$fq'),
]
