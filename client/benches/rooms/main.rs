//! Moves judged a second and server CPU per 1,000 acts in rooms of four, saturated: our server beside a bare axum
//! broadcaster that judges nothing and stores nothing, in turn in the same run.
//!
//! `SPRINT_SERVER` names the server's binary; see `scripts/bench`. Servers run on processor 0, the players on
//! processor 1, where `taskset` is there. Only ratios are worth quoting; the machine's load is in every figure.

mod bare;
mod players;

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use players::{Kind, Players};

const ROOMS: usize = 25;
const RUNS: usize = 5;
const WARM_UP: Duration = Duration::from_secs(1);
const MEASURED: Duration = Duration::from_secs(4);

/// One measurement of one server.
#[derive(Clone, Copy, Debug)]
struct Figures {
    acts_per_s: f64,
    cpu_ms_per_1000_acts: f64,
}

fn main() {
    if std::env::args().any(|arg| arg == "--bare") {
        return bare::serve();
    }
    let server = std::env::var("SPRINT_SERVER").expect("SPRINT_SERVER names the server's binary");
    let kinds = [
        ("bare axum", Kind::Bare, None),
        ("process", Kind::Sprint, Some("process")),
        ("power", Kind::Sprint, Some("power")),
    ];
    let mut measured = [const { Vec::new() }; 3];
    for run in 0..RUNS {
        for (slot, (name, kind, durability)) in measured.iter_mut().zip(kinds) {
            let figures = measure(&server, kind, durability);
            eprintln!("run {} {name}: {figures:?}", run + 1);
            slot.push(figures);
        }
    }
    println!(
        "{ROOMS} rooms of four, every player sends the next move when the last one is confirmed; medians of {RUNS} runs"
    );
    println!("{:<22} {:>10} {:>18} {:>14}", "server", "acts/s", "cpu ms/1000 acts", "cpu ÷ bare");
    let base = median(&measured[0], |f| f.cpu_ms_per_1000_acts);
    for ((name, ..), figures) in kinds.iter().zip(&measured) {
        let (acts, cpu) = (median(figures, |f| f.acts_per_s), median(figures, |f| f.cpu_ms_per_1000_acts));
        println!("{name:<22} {acts:>10.0} {cpu:>18.1} {:>14.2}", cpu / base);
    }
}

fn median(figures: &[Figures], of: impl Fn(&Figures) -> f64) -> f64 {
    let mut values: Vec<f64> = figures.iter().map(of).collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn measure(server: &str, kind: Kind, durability: Option<&str>) -> Figures {
    let folder = tempfile::tempdir().expect("a folder for the database");
    let mut command = match durability {
        None => {
            let mut command = pinned(&std::env::current_exe().expect("this program has a path").to_string_lossy());
            command.arg("--bare");
            command
        }
        Some(durability) => {
            let database = format!("sqlite://{}", folder.path().join("bench.sqlite").display());
            let mut command = pinned(server);
            let listen = ["serve", "--listen", "127.0.0.1:0", "--countdown-ms", "500", "--acts-per-s", "0"];
            command.args(listen).args(["--database", &database, "--durability", durability]);
            command
        }
    };
    let mut running = Running(command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the server starts"));
    let address = running.address();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let figures = tokio::task::LocalSet::new().block_on(&runtime, async {
        let players = Players::connect(kind, &address, ROOMS).await;
        tokio::time::sleep(WARM_UP).await;
        let (acts, cpu, start) = (players.confirmed(), running.cpu_ms(), Instant::now());
        tokio::time::sleep(MEASURED).await;
        let (acts, cpu) = ((players.confirmed() - acts) as f64, running.cpu_ms() - cpu);
        Figures { acts_per_s: acts / start.elapsed().as_secs_f64(), cpu_ms_per_1000_acts: cpu * 1_000.0 / acts }
    });
    assert!(figures.acts_per_s > 0.0, "moves are judged");
    figures
}

fn pinned(program: &str) -> Command {
    let has_taskset = Command::new("taskset").arg("-V").stdout(Stdio::null()).status().is_ok_and(|s| s.success());
    if !has_taskset {
        return Command::new(program);
    }
    let mut command = Command::new("taskset");
    command.args(["-c", "0", program]);
    command
}

/// A server that ends with the measurement.
struct Running(Child);

impl Running {
    /// The address in `listening on http://ADDRESS`.
    fn address(&mut self) -> String {
        let out = self.0.stdout.take().expect("piped");
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line).expect("the first line");
        let address = line.trim().strip_prefix("listening on http://");
        address.unwrap_or_else(|| panic!("the server says {line:?}")).to_owned()
    }

    /// User and system time so far, in milliseconds.
    fn cpu_ms(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.0.id())).expect("the server runs");
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        // Fields 14 and 15 of the file, in ticks of 10 ms.
        let ticks: f64 = fields[11..13].iter().map(|f| f.parse::<f64>().expect("a number")).sum();
        ticks * 10.0
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}
