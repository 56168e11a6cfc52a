"""Where SQLite and MariaDB part.  Last, since what is created here differs between them.

MariaDB's collation sees no case, no accents and no spaces at the end; its utf8mb3 has no
characters past U+FFFF; its columns have lengths.  Uses the flavors of flavor_lists.py.
"""
from case import SINGLE, get, post

FLAVORS = '/v2.0/flavors'

CASES = [
    get('database: by name in capitals', FLAVORS + '?name=L-ALPHA&fields=id'),
    get('database: by name without its accents', FLAVORS + '?name=l-zlut&fields=id'),
    get('database: by name and a space', FLAVORS + '?name=l-alpha%20&fields=id'),
    get('database: by service type in lower case', FLAVORS + '?service_type=qos&fields=id'),
    get('database: show by the id in capitals', FLAVORS + '/$l1_upper'),
    get('database: by driver in capitals', f'/v2.0/service_profiles?driver={SINGLE.upper()}'
        '&id=$rp&fields=id'),
    post('database: description with an emoji', FLAVORS,
         {'flavor': {'description': '\U0001f600', 'service_type': 'L3_ROUTER_NAT'}},
         look='status'),
    post('database: metainfo of 4097', '/v2.0/service_profiles',
         {'service_profile': {'driver': SINGLE, 'metainfo': 'm' * 4097}}, look='status'),
]
