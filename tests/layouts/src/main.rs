//! `layouts verdicts [--programs N] [--seed S] [--layout L]... [FOLDER]`: prints sources in all
//! layouts with our verdicts, as JSON lines for `conformance/layouts.rb`, which adds Puppet's.
//!
//! `layouts check FOLDER`: compares our verdicts on the files below FOLDER, in all layouts, with
//! those recorded from Puppet (`conformance/layouts.tsv`).
//!
//! `layouts survive [--count N] [--seed S] [--layout L]... [--show N] [--sorts N] [--mistake
//! deleted]... FOLDER [FILTER]`: measures error recovery. One token is deleted, doubled, or swapped
//! with the next one, in files as they are (`neat`) and in each layout. `same tree`: share of the
//! definitions, parameters, resources, assignments, and statement calls outside the mistake that
//! keep their kind, name, and tree; `if broken`: the same without sources that are still valid,
//! whose only correct tree is Puppet's; `one error`: share of mistakes that cause at most one
//! error. FILTER selects tokens of one kind (`R_BRACE`), or files whose path contains it.
//!
//! `layouts lay LAYOUT FILE`: prints a source in a layout. `layouts program SEED`: prints a
//! program. `layouts say FILE`: prints the tree in Puppet's notation, or the first error.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use layouts::corpus::{CorpusFile, language_of, read_corpus};
use layouts::survey::Survey;
use layouts::survival::Mistake;
use layouts::verdicts::{Recorded, Subject, read_recorded, verdict};
use layouts::{Layout, Source};
use syntax::Language;

fn main() -> ExitCode {
    // A tree may be too deep for the default stack.
    let work = || match run(std::env::args().skip(1).collect()) {
        Ok(code) => code,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    };
    match std::thread::Builder::new().stack_size(64 << 20).spawn(work).map(|it| it.join()) {
        Ok(Ok(code)) => code,
        _ => ExitCode::FAILURE,
    }
}

#[derive(Default)]
struct Settings {
    programs: u64,
    seed: u64,
    count: usize,
    show: usize,
    sorts: usize,
    mistakes: Vec<Mistake>,
    layouts: Vec<Layout>,
    rest: Vec<String>,
}

fn settings(arguments: &[String]) -> Result<Settings, String> {
    let mut settings = Settings { seed: 1, count: 1000, ..Settings::default() };
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        let number = |text: &str| text.parse::<u64>().map_err(|_| format!("{argument} {text}: not a number"));
        match argument.as_str() {
            "--programs" => settings.programs = number(value()?)?,
            "--seed" => settings.seed = number(value()?)?,
            "--count" => settings.count = number(value()?)? as usize,
            "--show" => settings.show = number(value()?)? as usize,
            "--sorts" => settings.sorts = number(value()?)? as usize,
            "--mistake" => settings.mistakes.push(mistake(value()?)?),
            "--layout" => settings.layouts.push(layout(value()?)?),
            option if option.starts_with('-') => return Err(format!("{option}: no such option")),
            other => settings.rest.push(other.to_owned()),
        }
    }
    if settings.layouts.is_empty() {
        settings.layouts = Layout::ALL.to_vec();
    }
    if settings.mistakes.is_empty() {
        settings.mistakes = Mistake::ALL.to_vec();
    }
    Ok(settings)
}

fn mistake(name: &str) -> Result<Mistake, String> {
    Mistake::from_name(name)
        .ok_or_else(|| format!("{name}: no such mistake; there are deleted, doubled, swapped"))
}

fn layout(name: &str) -> Result<Layout, String> {
    Layout::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Layout::ALL.iter().map(|it| it.name()).collect();
        format!("{name}: no such layout; there are {}", names.join(", "))
    })
}

fn run(arguments: Vec<String>) -> Result<ExitCode, String> {
    let (command, rest) = arguments
        .split_first()
        .ok_or("expected a command: verdicts, check, survive, lay, program, or say")?;
    let settings = settings(rest)?;
    match (command.as_str(), settings.rest.as_slice()) {
        ("verdicts", [] | [_]) => verdicts(&settings),
        ("check", [folder]) => check(Path::new(folder)),
        ("lay", [name, file]) => lay(layout(name)?, file, settings.seed),
        ("survive", [folder, filter @ ..]) if filter.len() < 2 => {
            let Settings { count, seed, show, sorts, ref layouts, ref mistakes, .. } = settings;
            let survey = Survey {
                count,
                seed,
                show,
                sorts,
                mistakes: mistakes.clone(),
                layouts: layouts.clone(),
                filter: filter.first().cloned(),
            };
            survey.run(&files(Path::new(folder))?);
            Ok(ExitCode::SUCCESS)
        }
        ("say", [file]) => {
            let (text, language) = read(file)?;
            match verdict(&text, language) {
                Ok(_) => println!("{}", syntax::pn::to_pn(&syntax::parse(&text, language))),
                Err(error) => println!("error {error}"),
            }
            Ok(ExitCode::SUCCESS)
        }
        ("program", [seed]) => {
            let seed = seed.parse().map_err(|_| format!("{seed}: not a number"))?;
            print!("{}", Subject::of_program(seed, &[]).variants[0].1);
            Ok(ExitCode::SUCCESS)
        }
        _ => Err(format!("{command}: see the top of tests/layouts/src/main.rs")),
    }
}

fn files(folder: &Path) -> Result<Vec<CorpusFile>, String> {
    read_corpus(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

fn verdicts(settings: &Settings) -> Result<ExitCode, String> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut write = |it: &Subject| writeln!(out, "{}", it.to_json()).map_err(|error| error.to_string());
    for folder in &settings.rest {
        for file in files(Path::new(folder))? {
            write(&Subject::new(file.path, settings.seed, file.text, file.language, &settings.layouts))?;
        }
    }
    for seed in settings.seed..settings.seed + settings.programs {
        write(&Subject::of_program(seed, &settings.layouts))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn check(folder: &Path) -> Result<ExitCode, String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../conformance/layouts.tsv");
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let recorded: Vec<Recorded> =
        read_recorded(&text)?.into_iter().filter(|it| !it.name.starts_with("program ")).collect();
    let (mut count, mut differences) = (0, 0);
    for it in &recorded {
        let file = folder.join(&it.name);
        let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let subject = Subject::new(it.name.clone(), it.seed, text, language_of(&file), &Layout::ALL);
        count += subject.variants.len();
        for difference in subject.differences(it) {
            differences += 1;
            println!("{difference}");
        }
    }
    println!("{count} variants of {} files, {differences} differ from Puppet", recorded.len());
    Ok(if count > 0 && differences == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn lay(layout: Layout, file: &str, seed: u64) -> Result<ExitCode, String> {
    let (text, language) = read(file)?;
    let source = Source::read(&text, language).ok_or(format!("{file}: has errors"))?;
    print!("{}", source.lay(layout, seed));
    Ok(ExitCode::SUCCESS)
}

fn read(file: &str) -> Result<(String, Language), String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    Ok((text, language_of(Path::new(file))))
}
