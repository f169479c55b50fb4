//! The table of codes: a row declares one.
//!
//! `Name = "code", severity, [reasons to be milder], [names in puppet-lint];` The page stands in `analysis/check/pages/`.

/// Hands the rows of the table to a macro.
#[macro_export]
macro_rules! with_codes {
    ($callback:ident) => {
        $callback! {
            // What the parser says: Puppet cannot read such a text, and neither settings nor comments hide it.
            Parser {
                ArgumentList = "argument-list", Error, [], [];
                BooleanAsVariable = "boolean-as-variable", Error, [], [];
                ByteOrderMark = "byte-order-mark", Error, [], [];
                EppUnclosedComment = "epp-unclosed-comment", Error, [], [];
                EppUnclosedTag = "epp-unclosed-tag", Error, [], [];
                FileTooLarge = "file-too-large", Error, [], [];
                HeredocEmptyTag = "heredoc-empty-tag", Error, [], [];
                HeredocEscape = "heredoc-escape", Error, [], [];
                HeredocInString = "heredoc-in-string", Error, [Tolerated], [];
                HeredocSyntax = "heredoc-syntax", Error, [], [];
                HeredocUnclosedParenthesis = "heredoc-unclosed-parenthesis", Error, [], [];
                HeredocWithoutText = "heredoc-without-text", Error, [], [];
                IllegalClassReference = "illegal-class-reference", Error, [], [];
                IllegalName = "illegal-name", Error, [Uncertain], [];
                IllegalNumber = "illegal-number", Error, [], [];
                IllegalUnicodeEscape = "illegal-unicode-escape", Error, [Tolerated], [];
                InvalidDecimalNumber = "invalid-decimal-number", Error, [], [];
                InvalidHexNumber = "invalid-hex-number", Error, [], [];
                InvalidOctalNumber = "invalid-octal-number", Error, [], [];
                LargeFile = "large-file", Warning, [], [];
                NestedHeredoc = "nested-heredoc", Error, [], [];
                NestingTooDeep = "nesting-too-deep", Error, [Uncertain], [];
                NotUtf8 = "not-utf8", Error, [Tolerated], [];
                NumberOutOfRange = "number-out-of-range", Error, [], [];
                QuotedName = "quoted-name", Error, [], [];
                SyntaxError = "syntax-error", Error, [], [];
                UnclosedComment = "unclosed-comment", Error, [], [];
                UnclosedHeredoc = "unclosed-heredoc", Error, [], [];
                UnclosedInterpolation = "unclosed-interpolation", Error, [Tolerated], [];
                UnclosedString = "unclosed-string", Error, [], [];
                UnexpectedCharacter = "unexpected-character", Error, [], [];
                UnreadableFile = "unreadable-file", Error, [], [];
                VirtualWithoutResource = "virtual-without-resource", Error, [], [];
            }
            // What the static rules of the language say: they need no other file.
            StaticRules {
                AppendsDeletesNoLongerSupported = "appends-deletes-no-longer-supported", Error, [], [];
                CapturesRestNotLast = "captures-rest-not-last", Error, [], [];
                CapturesRestNotSupported = "captures-rest-not-supported", Error, [], [];
                ClassNotVirtualizable = "class-not-virtualizable", Error, [], [];
                CrossScopeAssignment = "cross-scope-assignment", Error, [Uncertain], [];
                DuplicateDefault = "duplicate-default", Error, [Uncertain], [];
                DuplicateKey = "duplicate-key", Error, [Strict], [];
                DuplicateParameter = "duplicate-parameter", Error, [], [];
                FutureReservedWord = "future-reserved-word", Deprecation, [], [];
                IdemExpressionNotLast = "idem-expression-not-last", Error, [], [];
                IdemNotAllowedLast = "idem-not-allowed-last", Error, [], [];
                IllegalAssignment = "illegal-assignment", Error, [Uncertain], [];
                IllegalAssignmentContext = "illegal-assignment-context", Error, [Uncertain], [];
                IllegalAttributeAppend = "illegal-attribute-append", Error, [], [];
                IllegalBase64 = "illegal-base64", Error, [], [];
                IllegalDefinitionLocation = "illegal-definition-location", Error, [], [];
                IllegalDefinitionName = "illegal-definition-name", Error, [], [];
                IllegalEpp = "illegal-epp", Error, [], [];
                IllegalEppParameters = "illegal-epp-parameters", Error, [], [];
                IllegalExpression = "illegal-expression", Error, [Uncertain], [];
                IllegalHostnameChars = "illegal-hostname-chars", Error, [], [];
                IllegalHostnameInterpolation = "illegal-hostname-interpolation", Error, [], [];
                IllegalIndexedAssignment = "illegal-indexed-assignment", Error, [], [];
                IllegalJson = "illegal-json", Error, [], [];
                IllegalNodeInheritance = "illegal-node-inheritance", Error, [], [];
                IllegalNumericAssignment = "illegal-numeric-assignment", Error, [Uncertain], [];
                IllegalNumericParameter = "illegal-numeric-parameter", Error, [], [];
                IllegalNumericVarName = "illegal-numeric-var-name", Error, [], [];
                IllegalParamName = "illegal-param-name", Error, [], [];
                IllegalPp = "illegal-pp", Error, [], [];
                IllegalQueryExpression = "illegal-query-expression", Error, [], [];
                IllegalTopConstructLocation = "illegal-top-construct-location", Error, [], [];
                IllegalTypeMapping = "illegal-type-mapping", Error, [], [];
                IllegalVarName = "illegal-var-name", Error, [], [];
                InvalidRegex = "invalid-regex", Error, [], [];
                MultipleAttributesUnfold = "multiple-attributes-unfold", Error, [], [];
                NonLiteralParameterType = "non-literal-parameter-type", Warning, [], [];
                NotAbsoluteTopLevel = "not-absolute-top-level", Error, [], [];
                NotRvalue = "not-rvalue", Error, [], [];
                NotSupportedInApply = "not-supported-in-apply", Error, [], [];
                NotSupportedInPlan = "not-supported-in-plan", Error, [], [];
                NotTopLevel = "not-top-level", Error, [], [];
                NotVirtualizeable = "not-virtualizeable", Error, [], [];
                NumericOverflow = "numeric-overflow", Error, [Uncertain], [];
                ReservedParameter = "reserved-parameter", Error, [], [];
                ReservedTypeName = "reserved-type-name", Error, [], [];
                ReservedWord = "reserved-word", Error, [], [];
                ResourceWithoutTitle = "resource-without-title", Error, [], [];
                UnrecognizedEscape = "unrecognized-escape", Warning, [], [];
                UnsupportedExpression = "unsupported-expression", Error, [], [];
            }
            // What evaluation says: operations that no value could make succeed.
            Evaluator {
                ArgumentMismatch = "argument-mismatch", Error, [Uncertain], [];
                BadSliceKeyType = "bad-slice-key-type", Error, [Uncertain], [];
                BadStringSliceKeyType = "bad-string-slice-key-type", Error, [Uncertain], [];
                ComparisonNotPossible = "comparison-not-possible", Error, [Uncertain], [];
                ConstantWithoutValue = "constant-without-value", Error, [Uncertain], [];
                DefaultMismatch = "default-mismatch", Warning, [Uncertain], [];
                DeliberateFailure = "deliberate-failure", Error, [Uncertain], [];
                DerivedWithValue = "derived-with-value", Error, [Uncertain], [];
                DiscontinuedImport = "discontinued-import", Error, [Uncertain], [];
                DivByZero = "div-by-zero", Error, [Uncertain], [];
                DuplicateAttribute = "duplicate-attribute", Error, [Uncertain], [];
                DuplicateMember = "duplicate-member", Error, [Uncertain], [];
                DuplicateName = "duplicate-name", Error, [Uncertain], [];
                DuplicateTitle = "duplicate-title", Error, [Uncertain], [];
                EmptyStringTitleAt = "empty-string-title-at", Error, [Uncertain], [];
                EqualityOfConstant = "equality-of-constant", Error, [Uncertain], [];
                EqualityOfFunction = "equality-of-function", Error, [Uncertain], [];
                EqualityOfParent = "equality-of-parent", Error, [Uncertain], [];
                EqualityWithoutType = "equality-without-type", Error, [Uncertain], [];
                IllegalBreak = "illegal-break", Error, [Uncertain], [];
                IllegalJump = "illegal-jump", Error, [Uncertain], [];
                IllegalMultiAssignmentSize = "illegal-multi-assignment-size", Error, [Uncertain], [];
                IllegalReassignment = "illegal-reassignment", Error, [Uncertain], [];
                IllegalQuery = "illegal-query", Error, [Uncertain], [];
                IllegalRelationshipOperandType = "illegal-relationship-operand-type", Error, [Uncertain], [];
                IllegalReservedAssignment = "illegal-reserved-assignment", Error, [Uncertain], [];
                IllegalResourceType = "illegal-resource-type", Error, [Uncertain], [];
                IllegalTitle = "illegal-title", Error, [Uncertain], [];
                IllegalTitleTypeAt = "illegal-title-type-at", Error, [Uncertain], [];
                InheritsFromItself = "inherits-from-itself", Error, [Uncertain], [];
                InvalidVersion = "invalid-version", Error, [Uncertain], [];
                MatchNotRegexp = "match-not-regexp", Error, [Uncertain], [];
                MatchNotString = "match-not-string", Error, [Uncertain], [];
                MissingMultiAssignmentKey = "missing-multi-assignment-key", Error, [Uncertain], [];
                MissingMultiAssignmentVariable = "missing-multi-assignment-variable", Error, [Uncertain], [];
                MissingOverride = "missing-override", Error, [Uncertain], [];
                MissingRequiredParameter = "missing-required-parameter", Error, [Uncertain], [];
                MissingTitle = "missing-title", Error, [Uncertain], [];
                MissingTitleAt = "missing-title-at", Error, [Uncertain], [];
                NotAType = "not-a-type", Error, [Uncertain], [];
                NotNumeric = "not-numeric", Error, [Uncertain], [];
                NumericCoercion = "numeric-coercion", Error, [Uncertain], [];
                OperatorNotApplicable = "operator-not-applicable", Error, [Uncertain], [];
                OperatorNotApplicableWhen = "operator-not-applicable-when", Error, [Uncertain], [];
                OverlappingReferences = "overlapping-references", Error, [Uncertain], [];
                OverrideOfNothing = "override-of-nothing", Error, [Uncertain], [];
                OverrideOfOtherFeature = "override-of-other-feature", Error, [Uncertain], [];
                OverrideTypeMismatch = "override-type-mismatch", Error, [Uncertain], [];
                PcoreVersion = "pcore-version", Error, [Uncertain], [];
                RegexpLimit = "regexp-limit", Error, [Uncertain], [];
                RequiredParameterAfterOptional = "required-parameter-after-optional", Error, [Uncertain], [];
                ReservedName = "reserved-name", Error, [Uncertain], [];
                ResultIsInfinity = "result-is-infinity", Error, [Uncertain], [];
                ReturnTypeMismatch = "return-type-mismatch", Error, [Uncertain], [];
                RuntimeError = "runtime-error", Error, [Uncertain], [];
                TooDeep = "too-deep", Error, [Uncertain], [];
                TooLarge = "too-large", Error, [Uncertain], [];
                TooManySteps = "too-many-steps", Error, [Uncertain], [];
                TypeMismatch = "type-mismatch", Error, [Uncertain], [];
                TypeSetVersion = "type-set-version", Error, [Uncertain], [];
                UnevaluatedParameter = "unevaluated-parameter", Error, [Uncertain], [];
                UnknownResource = "unknown-resource", Error, [Uncertain], [];
                UnmatchedSelector = "unmatched-selector", Error, [Uncertain], [];
                UnresolvedType = "unresolved-type", Error, [Uncertain], [];
                ValidationFailed = "validation-failed", Error, [Uncertain], [];
            }
            // What compiles, types and settings say besides.
            Catalogs {
                BadArraySliceArity = "bad-array-slice-arity", Error, [Uncertain], [];
                BadCollectionSliceType = "bad-collection-slice-type", Error, [Uncertain], [];
                BadIntegerSliceArity = "bad-integer-slice-arity", Error, [Uncertain], [];
                BadIntegerSliceType = "bad-integer-slice-type", Error, [Uncertain], [];
                BadNotUndefSliceType = "bad-not-undef-slice-type", Error, [Uncertain], [];
                BadStringSliceArity = "bad-string-slice-arity", Error, [Uncertain], [];
                BadTypeSliceArity = "bad-type-slice-arity", Error, [Uncertain], [];
                BadTypeSliceType = "bad-type-slice-type", Error, [Uncertain], [];
                BadTypeSpecialization = "bad-type-specialization", Error, [Uncertain], [];
                ConstantNotFinal = "constant-not-final", Error, [Uncertain], [];
                DependencyCycle = "dependency-cycle", Error, [Uncertain], [];
                Deprecation = "deprecation", Warning, [Uncertain], [];
                EndlessCatalog = "endless-catalog", Error, [Uncertain], [];
                EqualityOfNothing = "equality-of-nothing", Error, [Uncertain], [];
                IgnoredSetting = "ignored-setting", Warning, [], [];
                IllegalClassref = "illegal-classref", Error, [Uncertain], [];
                IllegalCollection = "illegal-collection", Error, [Uncertain], [];
                IllegalHostclassName = "illegal-hostclass-name", Error, [Uncertain], [];
                IllegalOverriddenType = "illegal-overridden-type", Error, [Uncertain], [];
                IllegalOverride = "illegal-override", Error, [Uncertain], [];
                IllegalReference = "illegal-reference", Error, [Uncertain], [];
                IllegalResourceSpecialization = "illegal-resource-specialization", Error, [Uncertain], [];
                IllegalStage = "illegal-stage", Error, [Uncertain], [];
                IllegalTag = "illegal-tag", Error, [Uncertain], [];
                InvalidSetting = "invalid-setting", Error, [], [];
                InvalidTag = "invalid-tag", Error, [Uncertain], [];
                LateOverride = "late-override", Error, [Uncertain], [];
                LookupError = "lookup-error", Error, [Uncertain], [];
                MissingData = "missing-data", Error, [Uncertain], [];
                MissingNodeDefinition = "missing-node-definition", Error, [Uncertain], [];
                MissingOverrideTarget = "missing-override-target", Error, [Uncertain], [];
                MissingRealizeTarget = "missing-realize-target", Error, [Uncertain], [];
                MissingRelationshipTarget = "missing-relationship-target", Error, [Uncertain], [];
                NotImplemented = "not-implemented", Error, [Uncertain], [];
                OverrideOfFinal = "override-of-final", Error, [Uncertain], [];
                ParameterLikeMetaparameter = "parameter-like-metaparameter", Error, [Uncertain], [];
                UnknownParameter = "unknown-parameter", Error, [Uncertain], [];
                UnknownResourceParameter = "unknown-resource-parameter", Error, [Uncertain], [];
                UnknownSetting = "unknown-setting", Warning, [], [];
                UnknownStage = "unknown-stage", Error, [Uncertain], [];
                UnloadableFile = "unloadable-file", Error, [Uncertain], [];
                UnresolvableAlias = "unresolvable-alias", Error, [Uncertain], [];
            }
            // What there is to be found in the files of Hiera.
            Data {
                DataSyntax = "data-syntax", Error, [], [];
                DataValue = "data-value", Error, [], [];
                DataSymbol = "data-symbol", Warning, [], [];
                DataDuplicateKey = "data-duplicate-key", Warning, [], [];
                DataInterpolation = "data-interpolation", Error, [], [];
                DataUnknownParameter = "data-unknown-parameter", Hint, [], [];
                DataTypeMismatch = "data-type-mismatch", Warning, [Uncertain], [];
                HieraConfiguration = "hiera-configuration", Error, [Tolerated], [];
            }
            // What is said of `metadata.json` and `Puppetfile`.
            Metadata {
                MetadataDuplicate = "metadata-duplicate", Warning, [], [];
                MetadataMissingKey = "metadata-missing-key", Error, [Tolerated], [];
                MetadataName = "metadata-name", Warning, [], [];
                MetadataOtherVersion = "metadata-other-version", Hint, [], [];
                MetadataSyntax = "metadata-syntax", Error, [], [];
                MetadataUnknownKey = "metadata-unknown-key", Hint, [], [];
                MetadataValue = "metadata-value", Error, [Tolerated], [];
                MetadataVersion = "metadata-version", Warning, [], [];
                PuppetfileName = "puppetfile-name", Warning, [], [];
                PuppetfileUnknownWord = "puppetfile-unknown-word", Hint, [], [];
            }
            // What there is to be found in ERB templates.
            Templates {
                ErbSyntax = "erb-syntax", Error, [], [];
            }
            // What looking at names, uses and compiles of a project shows.
            Project {
                DefinitionCycle = "definition-cycle", Error, [], [];
                DuplicateDeclaration = "duplicate-declaration", Error, [Uncertain], [];
                DuplicateDefinition = "duplicate-definition", Warning, [Uncertain], [];
                FailingClass = "failing-class", Error, [Uncertain], [];
                FailingNode = "failing-node", Error, [Uncertain], [];
                IncompleteModuleData = "incomplete-module-data", Warning, [], [];
                InheritedMetaparameter = "inherited-metaparameter", Warning, [], [];
                LegacyFact = "legacy-fact", Warning, [Version], ["legacy_facts", "legacy_fact"];
                MissingModule = "missing-module", Hint, [], [];
                MissingParameter = "missing-parameter", Error, [Uncertain], [];
                PrivateUse = "private-use", Warning, [Uncertain], [];
                RemovedFunction = "removed-function", Warning, [Version], ["legacy_function"];
                UndeclaredDependency = "undeclared-dependency", Hint, [], [];
                UndocumentedParameter = "undocumented-parameter", Off, [], ["parameter_documentation"];
                UnknownAttribute = "unknown-attribute", Error, [Uncertain], [];
                UnknownClass = "unknown-class", Error, [Uncertain], [];
                UnknownFact = "unknown-fact", Warning, [Uncertain], [];
                UnknownFile = "unknown-file", Error, [Uncertain], [];
                UnknownFunction = "unknown-function", Error, [Uncertain], [];
                UnknownParamTag = "unknown-param-tag", Warning, [], ["parameter_documentation"];
                UnknownReference = "unknown-reference", Warning, [], [];
                UnknownResourceType = "unknown-resource-type", Error, [Uncertain], [];
                UnknownTemplateVariable = "unknown-template-variable", Warning, [Uncertain], [];
                UnknownType = "unknown-type", Error, [Uncertain], [];
                UnknownVariable = "unknown-variable", Warning, [Uncertain], ["variable_scope"];
                UnreachableCode = "unreachable-code", Hint, [], [];
                UnusedParameter = "unused-parameter", Hint, [], [];
                UnusedVariable = "unused-variable", Hint, [], [];
                ValueMismatch = "value-mismatch", Error, [Uncertain, Tolerated], [];
            }
        }
    };
}
