"""What one request of the script is: a row of a table, with no behaviour."""
import dataclasses

SINGLE = 'neutron.services.l3_router.service_providers.single_node.SingleNodeDriver'
HA = 'neutron.services.l3_router.service_providers.ha.HaDriver'
DVR = 'neutron.services.l3_router.service_providers.dvr.DvrDriver'
DVR_HA = 'neutron.services.l3_router.service_providers.dvrha.DvrHaDriver'
NO_ID = '00000000-0000-4000-8000-000000000000'


@dataclasses.dataclass(frozen=True)
class Case:
    """One request and what of its answer is compared.

    `$name` in `path`, `body`, `user` and `headers` stands for a value: one that an earlier case
    saved, or one of the runner's (`$keystone`, `$neutron`, and for each user `$demo_name`,
    `$demo_password`, `$demo_id`, `$demo_project`, `$demo_project_id`; `$soon`: a time five
    seconds ahead).  `$name_upper` is `$name` in capitals.
    """
    name: str                       # unique; what differences are reported under
    method: str
    path: str                       # from the service's root, with the query
    body: object = None             # sent as JSON; None = no body
    raw: str | None = None          # sent as it is, instead of `body`
    to: str = 'neutron'             # or 'keystone'
    # whose token is sent: 'admin', 'demo', 'viewer', 'nobody' (their project's), 'system'
    # (admin's with system scope), 'unscoped' (admin's), '$saved', or None: no token
    user: str | None = 'admin'
    headers: dict = dataclasses.field(default_factory=dict)
    save: dict = dataclasses.field(default_factory=dict)    # name: 'path.in.body' or 'header:Name'
    # 'value': status, headers, whole body; 'shape': types and keys of the body instead of its
    # values; 'status': the status alone
    look: str = 'value'
    ordered: bool = False           # the order of lists counts
    walk: str | None = None         # a collection: follow its next links, compare what comes together
    wait: float = 0                 # seconds to wait before


def get(name, path, **more):
    return Case(name, 'GET', path, **more)


def post(name, path, body=None, **more):
    return Case(name, 'POST', path, body, **more)


def put(name, path, body=None, **more):
    return Case(name, 'PUT', path, body, **more)


def delete(name, path, **more):
    return Case(name, 'DELETE', path, **more)
