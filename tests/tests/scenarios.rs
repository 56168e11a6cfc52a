//! Every scenario against devcloud, three ways: as on SQLite, as on MariaDB, and with lists in pages of two.

use devcloud::Options;
use openstack_sync_tests::for_each_scenario;
use openstack_sync_tests::scenarios::{World, run};

macro_rules! simulated {
    ($($module:ident::$scenario:ident;)*) => {
        mod like_sqlite {
            $(#[test]
            fn $scenario() {
                let world = super::World::simulated(&super::Options::default());
                super::run(world, openstack_sync_tests::scenarios::$module::$scenario);
            })*
        }

        mod like_mariadb {
            $(#[test]
            fn $scenario() {
                let options = super::Options { case_blind: true, ..super::Options::default() };
                super::run(super::World::simulated(&options), openstack_sync_tests::scenarios::$module::$scenario);
            })*
        }

        mod in_pages_of_two {
            $(#[test]
            fn $scenario() {
                let options = super::Options { page_limit: Some(2), ..super::Options::default() };
                super::run(super::World::simulated(&options), openstack_sync_tests::scenarios::$module::$scenario);
            })*
        }
    };
}

for_each_scenario!(simulated);
