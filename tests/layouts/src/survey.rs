//! Survey of many mistakes in many files, counted by layout.

use std::collections::HashMap;

use crate::corpus::CorpusFile;
use crate::survival::{Healthy, Mistake, Survival};
use crate::{Layout, Random, Source};

use syntax::LineMap;

/// Options of a survey.
pub struct Survey {
    /// Number of mistakes per layout.
    pub count: usize,
    pub seed: u64,
    pub layouts: Vec<Layout>,
    /// Number of worst mistakes to show per layout.
    pub show: usize,
    /// Number of mistake kinds to show per layout, those with the greatest loss first.
    pub sorts: usize,
    pub mistakes: Vec<Mistake>,
    /// Restriction to tokens of one kind (`R_BRACE`), or to files whose path contains the string.
    pub filter: Option<String>,
}

struct Count {
    mistakes: usize,
    expected: usize,
    kept: usize,
    named: usize,
    /// Number of mistakes with at most one error, including findings of the static rules.
    one_error: usize,
    one_finding: usize,
}

impl Survey {
    /// Prints the survival rates of files as they are (`neat`) and in each layout.
    pub fn run(&self, files: &[CorpusFile]) {
        println!(
            "{:<22}{:>9}{:>11}{:>11}{:>14}{:>11}{:>11}{:>11}{:>12}{:>14}",
            "layout",
            "mistakes",
            "same tree",
            "if broken",
            "kind and name",
            "deleted",
            "doubled",
            "swapped",
            "one error",
            "one finding"
        );
        let layouts = std::iter::once(None).chain(self.layouts.iter().copied().map(Some));
        for layout in layouts {
            let survivals = self.mistakes(files, layout);
            let all = count(survivals.iter().map(|(_, _, it)| it));
            let broken = count(survivals.iter().map(|(_, _, it)| it).filter(|it| !it.errors.is_empty()));
            let by_mistake = Mistake::ALL.map(|mistake| {
                let count = count(survivals.iter().map(|(_, _, it)| it).filter(|it| it.mistake == mistake));
                share(count.kept, count.expected)
            });
            println!(
                "{:<22}{:>9}{:>9.2} %{:>9.2} %{:>12.2} %{:>9.2} %{:>9.2} %{:>9.2} %{:>10.2} %{:>12.2} %",
                layout.map_or("neat", Layout::name),
                all.mistakes,
                share(all.kept, all.expected),
                share(broken.kept, broken.expected),
                share(all.named, all.expected),
                by_mistake[0],
                by_mistake[1],
                by_mistake[2],
                share(all.one_error, all.mistakes),
                share(all.one_finding, all.mistakes),
            );
            self.show_kinds(&survivals);
            self.show(survivals);
        }
    }

    /// Generates mistakes, each at a random token of a random file.
    fn mistakes<'a>(
        &self,
        files: &'a [CorpusFile],
        layout: Option<Layout>,
    ) -> Vec<(&'a CorpusFile, Healthy, Survival)> {
        let mut random = Random::new(self.seed);
        let mut survivals = Vec::new();
        let mut attempts = 0;
        while survivals.len() < self.count && attempts < self.count * 10 && !files.is_empty() {
            attempts += 1;
            let file = &files[random.below(files.len())];
            let (seed, place) = (random.next_number(), random.next_number());
            let by_path = self.filter.as_ref().is_some_and(|it| file.path.contains(it));
            let text = match layout {
                None => Some(file.text.clone()),
                Some(layout) => Source::read(&file.text, file.language).map(|it| it.lay(layout, seed)),
            };
            let Some(healthy) = text.and_then(|it| Healthy::new(it, file.language)) else { continue };
            let tokens: Vec<usize> = (0..healthy.tokens.len())
                .filter(|at| {
                    by_path || self.filter.as_ref().is_none_or(|it| healthy.tokens[*at].0.name() == it)
                })
                .collect();
            if tokens.is_empty() {
                continue;
            }
            let token = tokens[(place % tokens.len() as u64) as usize];
            let survival = healthy.survive(self.mistakes[survivals.len() % self.mistakes.len()], token);
            survivals.push((file, healthy, survival));
        }
        survivals
    }

    /// Prints the loss for each kind of mistake, token kind, and parent node kind.
    fn show_kinds(&self, survivals: &[(&CorpusFile, Healthy, Survival)]) {
        let mut sorts: HashMap<_, (usize, usize, usize)> = HashMap::new();
        for (_, _, it) in survivals {
            let sort = sorts.entry((it.mistake.name(), it.token.0.name(), it.holder.name())).or_default();
            sort.0 += it.gone.len() + it.changed.len();
            sort.1 += usize::from(it.errors.len() > 1);
            sort.2 += 1;
        }
        let mut sorts: Vec<_> = sorts.into_iter().collect();
        sorts.sort_by_key(|(sort, cost)| (std::cmp::Reverse(*cost), *sort));
        for ((mistake, token, holder), (lost, many, count)) in sorts.into_iter().take(self.sorts) {
            println!("  {mistake} {token} in {holder}: {lost} lost, {many} of {count} with several errors");
        }
    }

    fn show(&self, mut survivals: Vec<(&CorpusFile, Healthy, Survival)>) {
        survivals
            .sort_by_key(|(_, _, it)| std::cmp::Reverse((it.gone.len() + it.changed.len(), it.errors.len())));
        for (file, healthy, survival) in survivals.iter().take(self.show) {
            let (kind, range) = survival.token;
            let lines = LineMap::new(&healthy.text);
            let line = lines.line(range.start);
            let token: String = healthy.text[range.as_range()].chars().take(40).collect();
            println!(
                "\n  {}, line {}: {} {token:?} {}",
                file.path,
                line + 1,
                kind.name(),
                survival.mistake.name()
            );
            println!("    {}", healthy.text[lines.line_range(line).as_range()].trim_end());
            let lost = survival.gone.iter().chain(&survival.changed);
            let names: Vec<String> =
                lost.take(5).map(|it| format!("{} {}", it.kind.name(), it.name)).collect();
            println!(
                "    of {} features {} are gone, {} have another tree: {}",
                survival.expected,
                survival.gone.len(),
                survival.changed.len(),
                names.join(", ")
            );
            survival.errors.iter().take(5).for_each(|it| println!("    {it}"));
        }
    }
}

fn count<'a>(survivals: impl Iterator<Item = &'a Survival>) -> Count {
    let mut count = Count { mistakes: 0, expected: 0, kept: 0, named: 0, one_error: 0, one_finding: 0 };
    for it in survivals {
        count.mistakes += 1;
        count.expected += it.expected;
        count.named += it.expected - it.gone.len();
        count.kept += it.expected - it.gone.len() - it.changed.len();
        count.one_error += usize::from(it.errors.len() <= 1);
        count.one_finding += usize::from(it.errors.len() + it.static_findings <= 1);
    }
    count
}

fn share(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}
