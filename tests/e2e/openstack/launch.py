"""launch.py keystone|neutron ROOT PORT WORKERS: prepare the database if need be, then serve.

One process for both, since importing either project takes seconds of CPU: the set-up commands
run in forked children, which inherit the imported modules.  Configuration is read from
ROOT/etc, the databases are under ROOT/var, and ROOT/var/bootstrapped says that they are ready.
Also reads KEYSTONE_URL, NEUTRON_DB and OS_PASSWORD from the environment.
"""
import grp
import importlib
import os
import pwd
import sys
import time
import traceback
import warnings

from gunicorn.app.base import BaseApplication

warnings.simplefilter('ignore')
BEGIN = time.monotonic()


def say(text):
    # CPU seconds too, of this process and its ended children: what a busy machine can't blur
    cpu = sum(os.times()[:4])
    print(f'{time.monotonic() - BEGIN:7.2f} s {text} ({cpu:.2f} s of CPU)', flush=True)


def in_child(label, work):
    """Run `work` in a forked child; end this process if it raises or returns a failure."""
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        failed = True
        try:
            failed = bool(work())
        except SystemExit as e:
            failed = e.code not in (None, 0)
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(int(failed))
    if os.waitpid(pid, 0)[1]:
        sys.exit(f'{label} failed')
    say(label)


class Keystone:
    imports = ('keystone.server.wsgi', 'keystone.cmd.cli')

    def __init__(self, etc, var):
        self.conf, self.keys = f'{etc}/keystone.conf', f'{var}/keystone-keys'
        os.environ['OS_KEYSTONE_CONFIG_DIR'] = etc

    def manage(self, *args):
        from keystone.cmd import cli
        in_child('keystone-manage ' + args[0], lambda: cli.main(
            argv=['keystone-manage', '--config-file', self.conf, *args]))

    def set_up(self):
        for name in ('fernet', 'credential'):
            os.makedirs(f'{self.keys}/{name}', mode=0o700, exist_ok=True)
        owner = ('--keystone-user', pwd.getpwuid(os.getuid()).pw_name,
                 '--keystone-group', grp.getgrgid(os.getgid()).gr_name)
        url = os.environ['KEYSTONE_URL'] + '/v3/'
        self.manage('db_sync')
        self.manage('fernet_setup', *owner)
        self.manage('credential_setup', *owner)
        self.manage('bootstrap', '--bootstrap-password', os.environ['OS_PASSWORD'],
                    '--bootstrap-admin-url', url, '--bootstrap-public-url', url,
                    '--bootstrap-internal-url', url, '--bootstrap-region-id', 'RegionOne')

    def load(self):
        from keystone.server import wsgi
        return wsgi.initialize_public_application()


class Neutron:
    imports = ('neutron.server.api', 'neutron.plugins.ml2.plugin',
               'neutron.services.l3_router.l3_router_plugin')

    def __init__(self, etc, var):
        self.conf = f'{etc}/neutron.conf'
        os.environ['OS_NEUTRON_CONFIG_DIR'] = etc
        os.environ['OS_NEUTRON_CONFIG_FILES'] = 'neutron.conf'

    def set_up(self):
        url = os.environ['NEUTRON_DB']
        if url.startswith('sqlite'):
            in_child('schema from the models', lambda: self.create_tables(url))
        else:
            in_child('neutron-db-manage upgrade heads', self.migrate)

    def migrate(self):
        from neutron.db.migration import cli
        sys.argv = ['neutron-db-manage', '--config-file', self.conf, 'upgrade', 'heads']
        return cli.main()

    @staticmethod
    def create_tables(url):
        """Neutron's migrations add constraints to tables, which SQLite can't: make the tables
        from the models, as Neutron's own tests do, and stamp both branches of migrations."""
        import neutron
        import sqlalchemy
        from neutron.db.migration.models import head
        versions = os.path.join(os.path.dirname(neutron.__file__),
                                'db/migration/alembic_migrations/versions')
        engine = sqlalchemy.create_engine(url)
        with engine.begin() as db:
            db.exec_driver_sql('PRAGMA journal_mode = WAL')
        with engine.begin() as db:
            head.get_metadata().create_all(db)
            db.exec_driver_sql('CREATE TABLE IF NOT EXISTS alembic_version '
                               '(version_num VARCHAR(32) NOT NULL PRIMARY KEY)')
            for name in ('EXPAND_HEAD', 'CONTRACT_HEAD'):
                with open(os.path.join(versions, name)) as f:
                    db.exec_driver_sql('INSERT OR IGNORE INTO alembic_version VALUES (?)',
                                       (f.read().strip(),))

    def load(self):
        from neutron import server
        from neutron.server import api
        return server.boot_server(api.api_server, prog='neutron-api')


class Server(BaseApplication):
    """gunicorn with the settings given here, and none from a command line or file."""

    def __init__(self, service, settings):
        self.service, self.settings = service, settings
        super().__init__()

    def load_config(self):
        for key, value in self.settings.items():
            self.cfg.set(key, value)

    def load(self):
        return self.service.load()


def main():
    what, root, port, workers = sys.argv[1:5]
    sys.argv = [what]       # both projects read the rest of it as options of oslo.config
    service = {'keystone': Keystone, 'neutron': Neutron}[what](f'{root}/etc/{what}', f'{root}/var')
    for module in service.imports:
        importlib.import_module(module)
    say('imported')
    if not os.path.exists(f'{root}/var/bootstrapped'):
        service.set_up()
    Server(service, {
        'bind': f'127.0.0.1:{port}', 'workers': int(workers), 'worker_class': 'gthread',
        'threads': 8, 'keepalive': 75, 'timeout': 300, 'graceful_timeout': 2,
        'accesslog': f'{root}/log/{what}.access.log',
        'access_log_format': '%(h)s %(t)s "%(r)s" %(s)s %(b)s %(D)sus',
        'post_worker_init': lambda worker: say('serving'),
        'control_socket_disable': True}).run()


if __name__ == '__main__':
    main()
