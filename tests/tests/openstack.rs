//! Every scenario against real Keystone and Neutron: `make e2e-openstack`, or by hand with
//! `OPENSTACK_SYNC_E2E_CLOUDS` and `OPENSTACK_SYNC_E2E_CLOUDS_2` naming the `clouds.yaml` of two clouds that only
//! tests use, and `-- --ignored --test-threads 1`: each scenario empties them first.

use openstack_sync_tests::for_each_scenario;
use openstack_sync_tests::scenarios::{World, run};

macro_rules! real {
    ($($module:ident::$scenario:ident;)*) => {
        $(#[test]
        #[ignore = "needs real Keystone and Neutron: make e2e-openstack"]
        fn $scenario() {
            run(World::real(), openstack_sync_tests::scenarios::$module::$scenario);
        })*
    };
}

for_each_scenario!(real);

mod timing {
    use openstack_sync_tests::scenarios::{World, scale};

    #[test]
    #[ignore = "prints a figure: TIMING=1 make e2e-openstack"]
    fn of_a_thousand_crs() {
        let mut world = World::real();
        scale::print_times(&mut world, 1_000);
    }
}
