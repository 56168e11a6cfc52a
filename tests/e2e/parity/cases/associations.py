"""Flavors and service profiles, bound and unbound.  Uses what flavors.py and profiles.py made."""
from case import NO_ID, Case, delete, get, post, put

FLAVORS = '/v2.0/flavors'
PROFILES = '/v2.0/service_profiles'


def bind(name, flavor, profile, **more):
    return post('bind: ' + name, f'{FLAVORS}/{flavor}/service_profiles',
                {'service_profile': {'id': profile}}, **more)


def unbind(name, flavor, profile, **more):
    return delete('unbind: ' + name, f'{FLAVORS}/{flavor}/service_profiles/{profile}', **more)


CASES = [
    bind('it', '$fa', '$pa'),
    bind('again', '$fa', '$pa'),
    bind('a second profile', '$fa', '$pb'),
    bind('the profile to another flavor', '$fb', '$pa'),
    bind('an L3 profile to a QOS flavor', '$fq', '$pb'),
    get('bind: what the flavor shows', FLAVORS + '/$fa'),
    get('bind: what the list shows', FLAVORS + '?id=$fa&id=$fb&id=$fq'),
    bind('unknown profile', '$fa', NO_ID),
    bind('unknown flavor', NO_ID, '$pa'),
    bind('id not a UUID', '$fa', 'x'),
    bind('id null', '$fa', None),
    post('bind: no id', FLAVORS + '/$fa/service_profiles', {'service_profile': {}}),
    post('bind: no body', FLAVORS + '/$fa/service_profiles'),
    post('bind: another key', FLAVORS + '/$fa/service_profiles', {'profile': {'id': '$pm'}}),
    post('bind: more attributes', FLAVORS + '/$fa/service_profiles',
         {'service_profile': {'id': '$pm', 'driver': 'x'}}),
    post('bind: bulk', FLAVORS + '/$fa/service_profiles', {'service_profiles': [{'id': '$pm'}]}),
    get('bind: list of a flavor', FLAVORS + '/$fa/service_profiles'),
    get('bind: show one', FLAVORS + '/$fa/service_profiles/$pa'),
    put('bind: update one', FLAVORS + '/$fa/service_profiles/$pa',
        {'service_profile': {'description': 'x'}}),
    put('bind: update nothing of one', FLAVORS + '/$fa/service_profiles/$pa',
        {'service_profile': {}}),
    put('bind: update its id', FLAVORS + '/$fa/service_profiles/$pa',
        {'service_profile': {'id': '$pb'}}),
    put('bind: update without a body', FLAVORS + '/$fa/service_profiles/$pa'),
    put('bind: update one as a member', FLAVORS + '/$fa/service_profiles/$pa',
        {'service_profile': {}}, user='demo'),
    get('bind: show one as a member', FLAVORS + '/$fa/service_profiles/$pa', user='demo'),
    get('bind: show one as nobody', FLAVORS + '/$fa/service_profiles/$pa', user='nobody'),
    get('bind: show what is not bound', FLAVORS + '/$fa/service_profiles/$pha'),
    put('bind: update what is not bound', FLAVORS + '/$fa/service_profiles/$pha',
        {'service_profile': {}}),
    put('bind: update the collection', FLAVORS + '/$fa/service_profiles', {'service_profile': {}}),
    post('bind: POST to one', FLAVORS + '/$fa/service_profiles/$pa', {'service_profile': {}}),
    put('bound: flavor update', FLAVORS + '/$fa', {'flavor': {'description': 'bound'}}),
    put('bound: flavor update with profiles', FLAVORS + '/$fa',
        {'flavor': {'service_profiles': []}}),
    put('bound: profile update', PROFILES + '/$pa', {'service_profile': {'description': 'x'}}),
    put('bound: profile update of nothing', PROFILES + '/$pa', {'service_profile': {}}),
    put('bound: profile disable', PROFILES + '/$pa', {'service_profile': {'enabled': False}}),
    put('bound: profile update, invalid', PROFILES + '/$pa', {'service_profile': {'name': 'x'}}),
    delete('bound: profile delete', PROFILES + '/$pa'),
    get('bound: profile show', PROFILES + '/$pa'),
    unbind('the second', '$fa', '$pb'),
    unbind('again', '$fa', '$pb'),
    unbind('unknown profile', '$fa', NO_ID),
    unbind('unknown flavor', NO_ID, '$pa'),
    unbind('not an id', '$fa', 'x'),
    delete('unbind: the collection', FLAVORS + '/$fa/service_profiles'),
    Case('unbind: PATCH', 'PATCH', FLAVORS + '/$fa/service_profiles/$pa', {}),
    unbind('the bulk one', '$fa', '$pm'),
    get('unbind: what the flavor shows', FLAVORS + '/$fa'),
    delete('bound: flavor delete', FLAVORS + '/$fb'),
    get('bound: the profile stays', PROFILES + '/$pa'),
    delete('bound: profile still bound to the other', PROFILES + '/$pa'),
]
