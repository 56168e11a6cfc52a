//! What a user can do to CRs, clouds and the hook, and what must then be true. Each scenario is a function that
//! drives the real `router-flavors` binary and looks at the outcome through Neutron's HTTP API and the CR's status,
//! so that the same function runs against devcloud ([`World::simulated`]) and against real servers
//! ([`World::real`]).
//!
//! [`run`] plants things made by hand first and compares them afterwards: whatever a scenario does, nothing that
//! is not ours may change by a byte.

pub(crate) mod bystanders;
pub(crate) mod cloud;
pub(crate) mod world;

pub mod adopt;
pub mod credentials;
pub mod deletion;
pub mod doubt;
pub mod drift;
pub mod lifecycle;
pub mod moves;
pub mod names;
pub mod refused;
pub mod replace;
pub mod scale;
pub mod sharing;
pub mod takeover;

pub use cloud::Cloud;
pub use world::{CLOUDS, CLOUDS_2, World};

/// The driver of most scenarios; every Neutron with plugin `router` takes it.
pub const SINGLE: &str = "neutron.services.l3_router.service_providers.single_node.SingleNodeDriver";
/// Another one.
pub const HA: &str = "neutron.services.l3_router.service_providers.ha.HaDriver";
/// The service type of router flavors.
pub const L3: &str = "L3_ROUTER_NAT";
/// Ends the description of a managed flavor.
pub const MARKER: &str = "[understack-router-flavor-operator]";

/// Plays one scenario and compares what was made by hand, before and after.
///
/// # Panics
/// If anything is not as it should be.
pub fn run(mut world: World, scenario: fn(&mut World)) {
    scenario(&mut world);
    world.check_bystanders();
}

/// Calls the macro `$each` with all scenarios, as `module::function;` each.
#[macro_export]
macro_rules! for_each_scenario {
    ($each:ident) => {
        $each! {
            lifecycle::create;
            lifecycle::three_crs_share_one_profile;
            lifecycle::a_changed_spec_is_followed;
            lifecycle::delete;
            lifecycle::a_shared_profile_outlives_one_of_its_flavors;
            adopt::a_flavor_made_by_hand;
            adopt::a_profile_made_by_hand;
            adopt::a_profile_made_by_hand_that_is_bound_here;
            adopt::a_profile_that_is_bound_elsewhere_is_not_taken;
            adopt::of_two_unused_profiles_none_is_taken;
            drift::is_corrected_by_a_full_run_alone;
            drift::a_lost_marker_is_set_again;
            drift::a_lost_binding_is_made_again;
            drift::a_lost_flavor_is_made_again;
            drift::a_bound_profile_that_differs_is_a_note;
            drift::disabled_profiles_are_a_note;
            replace::another_driver;
            replace::another_meta_info;
            replace::a_profile_that_others_use_stays;
            replace::a_profile_made_by_hand_stays_bound;
            names::two_made_by_hand_are_one_too_many;
            names::two_managed_are_one_too_many;
            names::the_managed_one_counts;
            names::case_and_accents_count;
            names::the_older_of_two_crs_wins;
            names::a_renamed_flavor_leaves_the_old_one_to_a_full_run;
            deletion::a_flavor_in_use_stays_until_its_router_is_gone;
            deletion::orphans_are_swept_by_a_full_run_alone;
            deletion::orphans_are_swept_without_finalizers_too;
            deletion::unclaimed_flavors_go_within_the_limit_alone;
            deletion::an_empty_snapshot_empties_nothing;
            deletion::an_abandoned_flavor_stays_without_its_marker;
            deletion::without_finalizers_a_flavor_outlives_its_cr;
            doubt::a_failed_cr_holds_back_every_deletion;
            doubt::an_unreadable_cr_holds_back_every_deletion;
            doubt::a_list_given_by_hand_deletes_nothing;
            doubt::what_a_failed_cr_claims_is_safe;
            sharing::one_name_in_two_clouds;
            sharing::one_cloud_under_two_names;
            sharing::one_cloud_in_two_secrets;
            moves::from_one_cloud_to_another;
            moves::back_again;
            moves::a_flavor_in_use_holds_the_move;
            moves::to_another_name_of_the_same_cloud;
            moves::to_credentials_that_are_refused;
            moves::deleted_while_the_new_credentials_are_refused;
            refused::a_member;
            refused::a_reader;
            refused::a_role_of_no_meaning;
            refused::a_lost_role_deletes_nothing;
            refused::a_deletion_waits_for_the_lost_role;
            credentials::a_wrong_password_is_tried_once;
            credentials::an_unknown_region;
            credentials::an_unknown_cloud;
            credentials::a_missing_secret;
            credentials::lost_for_good_are_abandoned;
            takeover::of_crs_that_were_never_finalized;
            takeover::of_crs_with_a_finalizer;
            takeover::prune_on_then_off;
        }
    };
}
