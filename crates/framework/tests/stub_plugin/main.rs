//! The framework, driven by a stub plugin: the file to read first.
//!
//! A [`World`](world::World) is a Kubernetes API server with a Widget CRD, two clouds in memory, and a clock.
//! A test sets the scene (`cr`, `delete`, `plugin.on(..)`), lets the hook run (`full`, `tick`, `event`), and
//! looks at what became of it: CRs, clouds, the plugin's calls, the requests, the log.
//!
//! ```text
//! let mut world = World::new();
//! world.cr("a", json!({"size": 2}));          // kubectl apply
//! let report = world.full();                  // the site's crontab fires
//! assert_eq!(world.status("a"), "Synced");
//! assert_eq!(world.plugin.names("north"), ["a"]);
//! ```
//!
//! | question | module |
//! |---|---|
//! | what does a run cover, and when is a failure tried again? | `modes`, `retries` |
//! | when does a run exit with 1? | `exits` |
//! | what is deleted, and what holds it back? | `doubt`, `claims`, `pruning` |
//! | how do CRs go, move and get given up? | `finalizers`, `records`, `abandon`, `events` |
//! | how do errors of the other side spread? | `groups` |
//! | what do people see? | `statuses`, `by_hand` |
//! | does it all come to rest? | `convergence` |

#![expect(clippy::needless_pass_by_value, reason = "json!(..) as an argument reads best without a borrow")]

mod logs;
mod widgets;
mod world;

mod abandon;
mod by_hand;
mod claims;
mod convergence;
mod doubt;
mod events;
mod exits;
mod finalizers;
mod groups;
mod memory;
mod modes;
mod pruning;
mod records;
mod retries;
mod statuses;
