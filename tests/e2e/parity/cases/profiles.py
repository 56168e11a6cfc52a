"""Service profiles."""
from case import DVR, DVR_HA, HA, NO_ID, SINGLE, Case, delete, get, post, put

PROFILES = '/v2.0/service_profiles'


def create(name, profile, **more):
    return post('profile create: ' + name, PROFILES, {'service_profile': profile}, **more)


def update(name, profile, which='$pa', **more):
    return put('profile update: ' + name, f'{PROFILES}/{which}', {'service_profile': profile},
               **more)


CASES = [
    create('everything', {'driver': SINGLE, 'metainfo': '{"a": 1}', 'description': 'd',
                          'enabled': True}, save={'pa': 'service_profile.id'}),
    create('driver alone', {'driver': SINGLE}, save={'pb': 'service_profile.id'}),
    create('the same again', {'driver': SINGLE}),
    create('metainfo alone', {'metainfo': 'm'}, save={'pm': 'service_profile.id'}),
    create('neither', {}),
    create('both empty', {'driver': '', 'metainfo': ''}),
    create('description alone', {'description': 'd'}),
    create('driver HA', {'driver': HA}, save={'pha': 'service_profile.id'}),
    create('driver DVR', {'driver': DVR}),
    create('driver DVR and HA', {'driver': DVR_HA}),
    create('driver null', {'driver': None}),
    create('driver unknown', {'driver': 'foo'}),
    create('driver by its short name', {'driver': 'single_node'}),
    create('driver in capitals', {'driver': SINGLE.upper()}),
    create('driver: part of a path', {'driver': SINGLE[:-6]}),
    create('driver: a path and more', {'driver': f'xx {SINGLE} yy'}),
    create('driver of 1025', {'driver': 'd' * 1025}),
    create('metainfo an object', {'driver': SINGLE, 'metainfo': {'a': 1}}),
    create('metainfo a list', {'driver': SINGLE, 'metainfo': [1]}),
    create('metainfo a number', {'driver': SINGLE, 'metainfo': 5}),
    create('metainfo true', {'driver': SINGLE, 'metainfo': True}),
    create('metainfo null', {'driver': SINGLE, 'metainfo': None}),
    create('metainfo null and no driver', {'metainfo': None}),
    create('metainfo of 4096', {'driver': SINGLE, 'metainfo': 'm' * 4096}),
    create('description of 1024', {'driver': SINGLE, 'description': 'd' * 1024}),
    create('description of 1025', {'driver': SINGLE, 'description': 'd' * 1025}),
    create('description null', {'driver': SINGLE, 'description': None}),
    create('name', {'driver': SINGLE, 'name': 'n'}),
    create('meta_info', {'driver': SINGLE, 'meta_info': 'm'}),
    create('tenant_id', {'driver': SINGLE, 'tenant_id': 't'}),
    create('id', {'driver': SINGLE, 'id': NO_ID}),
    create('enabled false', {'driver': SINGLE, 'enabled': False, 'description': 'off'},
           save={'poff': 'service_profile.id'}),
    create('enabled null', {'driver': SINGLE, 'enabled': None}),
    create('enabled 2', {'driver': SINGLE, 'enabled': 2}),
    post('profile create: no body', PROFILES),
    post('profile create: another key', PROFILES, {'profile': {}}),
    post('profile create: bulk', PROFILES, {'service_profiles': [{'driver': SINGLE}]}),

    get('profile show: it', PROFILES + '/$pa'),
    get('profile show: one field', PROFILES + '/$pa?fields=driver'),
    get('profile show: unknown id', f'{PROFILES}/{NO_ID}'),
    get('profile show: a text', PROFILES + '/nosuch'),
    Case('profile show: PATCH of it', 'PATCH', PROFILES + '/$pa', {}),
    get('profile list: all', PROFILES),
    get('profile list: by driver', f'{PROFILES}?driver={HA}'),
    get('profile list: by description', PROFILES + '?description=off'),
    get('profile list: by enabled', PROFILES + '?enabled=false'),
    get('profile list: by id', PROFILES + '?id=$pa'),
    get('profile list: by metainfo', PROFILES + '?metainfo=m'),
    get('profile list: by flavors', PROFILES + '?flavors=x'),
    get('profile list: by project_id', PROFILES + '?project_id=x'),
    get('profile list: by two drivers', f'{PROFILES}?driver={HA}&driver={DVR}'),
    get('profile list: fields', PROFILES + '?fields=driver&fields=enabled'),
    get('profile list: a page', PROFILES + '?limit=2&fields=id', look='shape'),
    get('profile list: all pages', PROFILES + '?limit=3', walk='service_profiles'),

    update('description', {'description': 'new'}),
    update('all four', {'description': 'newer', 'enabled': False, 'driver': HA, 'metainfo': 'x'}),
    update('nothing', {}),
    update('driver unknown', {'driver': 'foo'}),
    update('metainfo an object', {'metainfo': {'a': 1}}),
    update('description too long', {'description': 'd' * 1025}),
    update('unknown attribute', {'name': 'n'}),
    update('id', {'id': NO_ID}),
    update('both empty', {'driver': '', 'metainfo': ''}),
    update('back', {'description': 'd', 'enabled': True, 'driver': SINGLE, 'metainfo': 'm'}),
    update('unknown id', {'description': 'x'}, NO_ID),
    put('profile update: no body', PROFILES + '/$pa'),
    put('profile update: the collection', PROFILES, {'service_profile': {}}),

    post('profile show: POST to it', PROFILES + '/$pa', {'service_profile': {'name': 'x'}}),
    post('profile show: POST to it, whole', PROFILES + '/$pa',
         {'service_profile': {'driver': SINGLE}}),
    create('one to delete', {'driver': SINGLE}, save={'pgone': 'service_profile.id'}),
    delete('profile delete: it', PROFILES + '/$pgone'),
    delete('profile delete: again', PROFILES + '/$pgone'),
    delete('profile delete: unknown id', f'{PROFILES}/{NO_ID}'),
    delete('profile delete: the collection', PROFILES),
]
