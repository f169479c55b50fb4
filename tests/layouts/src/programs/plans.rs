//! Bolt plans.

use super::Maker;

impl Maker {
    pub(super) fn plan(&mut self) {
        self.put("plan a::p");
        self.parameter_list(false);
        self.put(" ");
        self.block_with(|maker| {
            for _ in 0..1 + maker.random.below(3) {
                match maker.random.below(3) {
                    0 => {
                        maker.put("run_task('a::t', $targets, 'x' => ");
                        maker.expression();
                        maker.put(")");
                    }
                    1 => {
                        maker.choice(&["apply($targets", "$r = apply('all', '_catch' => true"]);
                        maker.put(") ");
                        maker.is_plan = false;
                        maker.block();
                        maker.is_plan = true;
                    }
                    _ => maker.statement(),
                }
                maker.line_break();
            }
            maker.choice(&["return $x", "return({ 'a' => 1 })"]);
        });
    }
}
