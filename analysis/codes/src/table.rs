//! Table of codes, one row each.
//!
//! The form of a row is `Name = "code", severity, [downgrade reasons], [puppet-lint names];`. The documentation is in
//! `analysis/check/src/rules/CODE/`, and that of style checks in `analysis/lint/src/checks/CODE/`.
//!
//! A row of the group `Style` also has the check, for `lint`: `: origin "name", level, on by default, fix, function`.
//! Its name is a puppet-lint name of the code. If a rule of another group covers the check, the row has only its name
//! instead of a code. The order is that of puppet-lint and its plugins.

/// Passes the rows of the table to a macro.
#[macro_export]
macro_rules! with_codes {
    ($callback:ident) => {
        $callback! {
            // Reported by the parser: Puppet cannot read the file, and neither settings nor comments hide
            // the diagnostic.
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
            // Reported by the static rules of the language, which look at one file only.
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
            // Reported by evaluation: operations that fail for every possible value.
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
            // Reported by catalog compilation, type checks and settings.
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
            // Reported in Hiera configurations and data files.
            Data {
                DataSyntax = "data-syntax", Error, [], [];
                DataValue = "data-value", Error, [], [];
                DataSymbol = "data-symbol", Warning, [], [];
                DataDuplicateKey = "data-duplicate-key", Warning, [], [];
                DataEncrypted = "data-encrypted", Warning, [], [];
                DataInterpolation = "data-interpolation", Error, [Strict, Uncertain], [];
                DataKey = "data-key", Warning, [], [];
                DataLookupOptions = "data-lookup-options", Error, [Tolerated], [];
                DataNotAHash = "data-not-a-hash", Error, [Strict], [];
                DataUnknownParameter = "data-unknown-parameter", Hint, [], [];
                DataTypeMismatch = "data-type-mismatch", Warning, [], [];
                HieraConfiguration = "hiera-configuration", Error, [Tolerated], [];
                HieraPath = "hiera-path", Warning, [Uncertain], [];
            }
            // Reported in `metadata.json`, in `Puppetfile`, in the metadata of tasks, and in files of Bolt.
            Metadata {
                BoltConfiguration = "bolt-configuration", Error, [Tolerated], [];
                MetadataDuplicate = "metadata-duplicate", Warning, [], [];
                MetadataLicense = "metadata-license", Warning, [], [];
                MetadataMissingKey = "metadata-missing-key", Error, [Tolerated], [];
                MetadataName = "metadata-name", Warning, [], [];
                MetadataObsolete = "metadata-obsolete", Warning, [], [];
                MetadataOpenRange = "metadata-open-range", Warning, [], [];
                MetadataOtherVersion = "metadata-other-version", Hint, [], [];
                MetadataSyntax = "metadata-syntax", Error, [], [];
                MetadataUnknownKey = "metadata-unknown-key", Hint, [], [];
                MetadataValue = "metadata-value", Error, [Tolerated], [];
                MetadataVersion = "metadata-version", Warning, [], [];
                MetadataVersionBound = "metadata-version-bound", Hint, [], [];
                PuppetfileDependency = "puppetfile-dependency", Warning, [Uncertain], [];
                PuppetfileDuplicate = "puppetfile-duplicate", Error, [], [];
                PuppetfileName = "puppetfile-name", Error, [Tolerated], [];
                PuppetfileOption = "puppetfile-option", Error, [Tolerated], [];
                PuppetfileOtherVersion = "puppetfile-other-version", Hint, [], [];
                PuppetfileSource = "puppetfile-source", Warning, [Tolerated], [];
                PuppetfileSyntax = "puppetfile-syntax", Error, [], [];
                PuppetfileUnknownWord = "puppetfile-unknown-word", Error, [Uncertain], [];
                PuppetfileVersion = "puppetfile-version", Error, [Tolerated], [];
                TaskMetadata = "task-metadata", Error, [Tolerated], [];
                YamlPlan = "yaml-plan", Error, [Tolerated], [];
            }
            // Reported in ERB templates and other Ruby code.
            Templates {
                ErbSyntax = "erb-syntax", Error, [], [];
                RemovedRubyApi = "removed-ruby-api", Warning, [Version], [];
            }
            // Reported by rules that use the names, uses and compiles of a project.
            Project {
                DefinitionCycle = "definition-cycle", Error, [], [];
                DetachedDocumentation = "detached-documentation", Warning, [], [];
                DoubleNegation = "double-negation", Off, [], [];
                DuplicateCondition = "duplicate-condition", Warning, [], [];
                DuplicateDeclaration = "duplicate-declaration", Error, [Uncertain], [];
                DuplicateDefinition = "duplicate-definition", Warning, [Uncertain], [];
                FailingClass = "failing-class", Error, [Uncertain], [];
                FailingNode = "failing-node", Error, [Uncertain], [];
                IncompleteModuleData = "incomplete-module-data", Warning, [], [];
                InheritedMetaparameter = "inherited-metaparameter", Warning, [], [];
                LegacyFact = "legacy-fact", Warning, [Version], ["legacy_fact"];
                LongSummary = "long-summary", Warning, [], [];
                MissingModule = "missing-module", Hint, [], [];
                MissingParameter = "missing-parameter", Error, [Uncertain], [];
                MissingReturnTag = "missing-return-tag", Off, [], [];
                ParamTagType = "param-tag-type", Warning, [], [];
                PrivateUse = "private-use", Warning, [Uncertain], [];
                RedactedText = "redacted-text", Warning, [], [];
                RemovedFunction = "removed-function", Warning, [Version], ["legacy_function"];
                ResourceValue = "resource-value", Error, [Uncertain], [];
                ReturnTagType = "return-tag-type", Warning, [], [];
                SecurityDefaultAdmin = "security-default-admin", Off, [], [];
                SecurityEmptyPassword = "security-empty-password", Off, [], [];
                SecurityExposedSecret = "security-exposed-secret", Off, [], [];
                SecurityHardcodedPassword = "security-hardcoded-password", Off, [], [];
                SecurityHardcodedSecret = "security-hardcoded-secret", Off, [], [];
                SecurityOpenBind = "security-open-bind", Off, [], [];
                SecurityPipeToShell = "security-pipe-to-shell", Warning, [], [];
                SecurityPlainHttp = "security-plain-http", Off, [], [];
                SecurityPrivateKey = "security-private-key", Warning, [], [];
                SecurityReadableKey = "security-readable-key", Off, [], [];
                SecurityShellInjection = "security-shell-injection", Off, [], [];
                SecuritySuspiciousComment = "security-suspicious-comment", Off, [], [];
                SecurityUnsignedRepository = "security-unsigned-repository", Warning, [], [];
                SecurityUnverifiedDownload = "security-unverified-download", Off, [], [];
                SecurityWeakCipher = "security-weak-cipher", Off, [], [];
                SecurityWeakHash = "security-weak-hash", Off, [], [];
                SecurityWorldWritable = "security-world-writable", Warning, [], [];
                SensitiveDefault = "sensitive-default", Warning, [], [];
                UndeclaredDependency = "undeclared-dependency", Hint, [], [];
                UndocumentedParameter = "undocumented-parameter", Off, [], [];
                UnknownAttribute = "unknown-attribute", Error, [Uncertain], [];
                UnknownClass = "unknown-class", Error, [Uncertain], [];
                UnknownDocTag = "unknown-doc-tag", Warning, [], [];
                UnknownFact = "unknown-fact", Warning, [Uncertain], [];
                UnknownFile = "unknown-file", Error, [Uncertain], [];
                UnknownFunction = "unknown-function", Error, [Uncertain], [];
                UnknownParamTag = "unknown-param-tag", Warning, [], ["parameter_documentation"];
                UnknownPlan = "unknown-plan", Error, [Uncertain], [];
                UnknownReference = "unknown-reference", Warning, [], [];
                UnknownResourceType = "unknown-resource-type", Error, [Uncertain], [];
                UnknownTask = "unknown-task", Error, [Uncertain], [];
                UnknownTemplateVariable = "unknown-template-variable", Warning, [Uncertain], [];
                UnknownType = "unknown-type", Error, [Uncertain], [];
                UnknownVariable = "unknown-variable", Warning, [Uncertain], [];
                UnreachableCode = "unreachable-code", Hint, [], [];
                UnreachableLevel = "unreachable-level", Hint, [], [];
                UntitledExample = "untitled-example", Hint, [], [];
                UnusedClass = "unused-class", Hint, [], [];
                UnusedDefine = "unused-define", Hint, [], [];
                UnusedFile = "unused-file", Hint, [], [];
                UnusedFunction = "unused-function", Hint, [], [];
                UnusedHieraKey = "unused-hiera-key", Hint, [], [];
                UnusedModule = "unused-module", Hint, [], [];
                UnusedParameter = "unused-parameter", Hint, [], [];
                UnusedTemplate = "unused-template", Hint, [], [];
                UnusedType = "unused-type", Hint, [], [];
                UnusedVariable = "unused-variable", Hint, [], [];
                ValueMismatch = "value-mismatch", Error, [Uncertain, Tolerated], [];
            }
            // Reported by the checks of puppet-lint and its plugins, unless another rule covers the same
            // problem.
            Style {
                ArrowOnRightOperandLine = "arrow-on-right-operand-line", Off, [], []: PuppetLint "arrow_on_right_operand_line", Warning, ON, Formatting, arrow_on_right_operand_line::check;
                IllegalDefinitionLocation: PuppetLint "autoloader_layout", Error, ON, None, autoloader_layout::check;
                ClassInheritsFromParamsClass = "class-inherits-from-params-class", Off, [], []: PuppetLint "class_inherits_from_params_class", Warning, OFF, None, class_inherits_from_params_class::check;
                CodeOnTopScope = "code-on-top-scope", Off, [], []: PuppetLint "code_on_top_scope", Warning, OFF, None, code_on_top_scope::check;
                InheritsAcrossNamespaces = "inherits-across-namespaces", Off, [], []: PuppetLint "inherits_across_namespaces", Warning, ON, None, inherits_across_namespaces::check;
                IllegalDefinitionName: PuppetLint "names_containing_dash", Error, ON, None, names_containing_dash::check;
                NamesContainingUppercase = "names-containing-uppercase", Off, [], []: PuppetLint "names_containing_uppercase", Error, ON, Unsafe, names_containing_uppercase::check;
                NestedClassesOrDefines = "nested-classes-or-defines", Off, [], []: PuppetLint "nested_classes_or_defines", Warning, ON, None, nested_classes_or_defines::check;
                ParameterOrder = "parameter-order", Off, [], []: PuppetLint "parameter_order", Warning, ON, None, parameter_order::check;
                RightToLeftRelationship = "right-to-left-relationship", Off, [], []: PuppetLint "right_to_left_relationship", Warning, ON, None, right_to_left_relationship::check;
                UnknownVariable: PuppetLint "variable_scope", Warning, ON, None, variable_scope::check;
                SlashComments = "slash-comments", Off, [], []: PuppetLint "slash_comments", Warning, ON, Safe, slash_comments::check;
                StarComments = "star-comments", Off, [], []: PuppetLint "star_comments", Warning, ON, Formatting, star_comments::check;
                CaseWithoutDefault = "case-without-default", Off, [], []: PuppetLint "case_without_default", Warning, ON, None, case_without_default::check;
                SelectorInsideResource = "selector-inside-resource", Off, [], []: PuppetLint "selector_inside_resource", Warning, ON, None, selector_inside_resource::check;
                Documentation = "documentation", Off, [], []: PuppetLint "documentation", Warning, ON, None, documentation::check;
                UnquotedNodeName = "unquoted-node-name", Off, [], []: PuppetLint "unquoted_node_name", Warning, ON, Safe, unquoted_node_name::check;
                DuplicateAttribute: PuppetLint "duplicate_params", Error, ON, None, duplicate_params::check;
                EnsureFirstParam = "ensure-first-param", Off, [], []: PuppetLint "ensure_first_param", Warning, ON, Safe, ensure_first_param::check;
                EnsureNotSymlinkTarget = "ensure-not-symlink-target", Off, [], []: PuppetLint "ensure_not_symlink_target", Warning, ON, Safe, ensure_not_symlink_target::check;
                FileMode = "file-mode", Off, [], []: PuppetLint "file_mode", Warning, ON, Safe, file_mode::check;
                UnquotedFileMode = "unquoted-file-mode", Warning, [], []: PuppetLint "unquoted_file_mode", Warning, ON, Safe, unquoted_file_mode::check;
                UnquotedResourceTitle = "unquoted-resource-title", Off, [], []: PuppetLint "unquoted_resource_title", Warning, ON, Safe, unquoted_resource_title::check;
                DoubleQuotedStrings = "double-quoted-strings", Off, [], []: PuppetLint "double_quoted_strings", Warning, ON, Formatting, double_quoted_strings::check;
                OnlyVariableString = "only-variable-string", Off, [], []: PuppetLint "only_variable_string", Warning, ON, Unsafe, only_variable_string::check;
                PuppetUrlWithoutModules = "puppet-url-without-modules", Off, [], []: PuppetLint "puppet_url_without_modules", Warning, ON, Unsafe, puppet_url_without_modules::check;
                QuotedBooleans = "quoted-booleans", Off, [], []: PuppetLint "quoted_booleans", Warning, OFF, Unsafe, quoted_booleans::check;
                SingleQuoteStringWithVariables = "single-quote-string-with-variables", Off, [], []: PuppetLint "single_quote_string_with_variables", Error, ON, None, single_quote_string_with_variables::check;
                VariablesNotEnclosed = "variables-not-enclosed", Off, [], []: PuppetLint "variables_not_enclosed", Warning, ON, Safe, variables_not_enclosed::check;
                VariableContainsDash = "variable-contains-dash", Off, [], []: PuppetLint "variable_contains_dash", Warning, ON, None, variable_contains_dash::check;
                VariableIsLowercase = "variable-is-lowercase", Off, [], []: PuppetLint "variable_is_lowercase", Warning, ON, None, variable_is_lowercase::check;
                Chars140 = "140chars", Off, [], []: PuppetLint "140chars", Warning, ON, None, line_length::of_140;
                Chars80 = "80chars", Off, [], []: PuppetLint "80chars", Warning, OFF, None, line_length::of_80;
                SoftTabs = "2sp-soft-tabs", Off, [], []: PuppetLint "2sp_soft_tabs", Error, ON, None, spaces::two_spaces;
                ArrowAlignment = "arrow-alignment", Off, [], []: PuppetLint "arrow_alignment", Warning, ON, Formatting, arrow_alignment::check;
                HashArrowAlignment = "hash-arrow-alignment", Off, [], []: Own "hash_arrow_alignment", Warning, OFF, Formatting, hash_arrow_alignment::check;
                HardTabs = "hard-tabs", Off, [], []: PuppetLint "hard_tabs", Error, ON, Formatting, spaces::hard_tabs;
                SpaceBeforeArrow = "space-before-arrow", Off, [], []: PuppetLint "space_before_arrow", Warning, ON, Formatting, arrows::before;
                TrailingWhitespace = "trailing-whitespace", Off, [], []: PuppetLint "trailing_whitespace", Error, ON, Formatting, spaces::trailing;
                LegacyFact: PuppetLint "legacy_facts", Warning, ON, Unsafe, legacy_facts::check;
                TopScopeFacts = "top-scope-facts", Off, [], []: PuppetLint "top_scope_facts", Warning, ON, Unsafe, top_scope_facts::check;
                RelativeClassnameInclusion = "relative-classname-inclusion", Off, [], []: VoxPupuli "relative_classname_inclusion", Warning, ON, Safe, class_names::included;
                RelativeClassnameReference = "relative-classname-reference", Off, [], []: VoxPupuli "relative_classname_reference", Warning, ON, Safe, class_names::referred;
                AnchorResource = "anchor-resource", Off, [], []: VoxPupuli "anchor_resource", Warning, ON, None, anchor_resource::check;
                ExecIdempotency = "exec-idempotency", Off, [], []: VoxPupuli "exec_idempotency", Warning, ON, None, exec_idempotency::check;
                FileEnsure = "file-ensure", Off, [], []: VoxPupuli "file_ensure", Warning, ON, Unsafe, file_ensure::check;
                LeadingZero = "leading-zero", Off, [], []: VoxPupuli "leading_zero", Warning, ON, Unsafe, leading_zero::check;
                LookupInParameter = "lookup-in-parameter", Off, [], []: VoxPupuli "lookup_in_parameter", Warning, ON, None, lookup_in_parameter::check;
                ManifestWhitespaceArrowsSingleSpaceAfter = "manifest-whitespace-arrows-single-space-after", Off, [], []: VoxPupuli "manifest_whitespace_arrows_single_space_after", Error, ON, Formatting, arrows::after;
                ManifestWhitespaceInheritsNameSingleSpaceBefore = "manifest-whitespace-inherits-name-single-space-before", Off, [], []: VoxPupuli "manifest_whitespace_inherits_name_single_space_before", Error, ON, Formatting, names::before_inherited;
                ManifestWhitespaceClassNameSingleSpaceBefore = "manifest-whitespace-class-name-single-space-before", Off, [], []: VoxPupuli "manifest_whitespace_class_name_single_space_before", Error, ON, Formatting, names::before;
                ManifestWhitespaceClassNameSingleSpaceAfter = "manifest-whitespace-class-name-single-space-after", Off, [], []: VoxPupuli "manifest_whitespace_class_name_single_space_after", Error, ON, Formatting, names::after;
                ManifestWhitespaceOpeningBraceBefore = "manifest-whitespace-opening-brace-before", Off, [], []: VoxPupuli "manifest_whitespace_opening_brace_before", Error, ON, Formatting, braces::before_opening;
                ManifestWhitespaceOpeningBraceAfter = "manifest-whitespace-opening-brace-after", Off, [], []: VoxPupuli "manifest_whitespace_opening_brace_after", Error, ON, Formatting, braces::after_opening;
                ManifestWhitespaceClosingBraceBefore = "manifest-whitespace-closing-brace-before", Off, [], []: VoxPupuli "manifest_whitespace_closing_brace_before", Error, ON, Formatting, braces::before_closing;
                ManifestWhitespaceClosingBraceAfter = "manifest-whitespace-closing-brace-after", Off, [], []: VoxPupuli "manifest_whitespace_closing_brace_after", Error, ON, Formatting, braces::after_closing;
                ManifestWhitespaceOpeningBracketBefore = "manifest-whitespace-opening-bracket-before", Off, [], []: VoxPupuli "manifest_whitespace_opening_bracket_before", Error, ON, Formatting, brackets::before_opening;
                ManifestWhitespaceOpeningBracketAfter = "manifest-whitespace-opening-bracket-after", Off, [], []: VoxPupuli "manifest_whitespace_opening_bracket_after", Error, ON, Formatting, brackets::after_opening;
                ManifestWhitespaceClosingBracketBefore = "manifest-whitespace-closing-bracket-before", Off, [], []: VoxPupuli "manifest_whitespace_closing_bracket_before", Error, ON, Formatting, brackets::before_closing;
                ManifestWhitespaceClosingBracketAfter = "manifest-whitespace-closing-bracket-after", Off, [], []: VoxPupuli "manifest_whitespace_closing_bracket_after", Error, ON, Formatting, braces::after_closing_bracket;
                ManifestWhitespaceTwoEmptyLines = "manifest-whitespace-two-empty-lines", Off, [], []: VoxPupuli "manifest_whitespace_two_empty_lines", Error, ON, Formatting, line_breaks::two_empty;
                ManifestWhitespaceNewlineBeginningOfFile = "manifest-whitespace-newline-beginning-of-file", Off, [], []: VoxPupuli "manifest_whitespace_newline_beginning_of_file", Error, ON, Formatting, line_breaks::at_beginning;
                ManifestWhitespaceMissingNewlineEndOfFile = "manifest-whitespace-missing-newline-end-of-file", Off, [], []: VoxPupuli "manifest_whitespace_missing_newline_end_of_file", Error, ON, Formatting, line_breaks::missing_at_end;
                ManifestWhitespaceDoubleNewlineEndOfFile = "manifest-whitespace-double-newline-end-of-file", Off, [], []: VoxPupuli "manifest_whitespace_double_newline_end_of_file", Error, ON, Formatting, line_breaks::double_at_end;
                OptionalDefault = "optional-default", Off, [], []: VoxPupuli "optional_default", Warning, ON, None, optional_default::check;
                PackageEnsure = "package-ensure", Off, [], []: VoxPupuli "package_ensure", Warning, ON, Unsafe, package_ensure::check;
                UndocumentedParameter: VoxPupuli "parameter_documentation", Warning, ON, None, parameter_documentation::check;
                ParamsEmptyStringAssignment = "params-empty-string-assignment", Off, [], []: VoxPupuli "params_empty_string_assignment", Warning, ON, None, params_empty_string_assignment::check;
                DefaultMismatch: VoxPupuli "params_not_optional_with_undef", Warning, ON, None, params_not_optional_with_undef::check;
                ParameterTypes = "parameter-types", Off, [], []: VoxPupuli "parameter_types", Warning, ON, None, parameter_types::check;
                ResourceReferenceWithoutTitleCapital = "resource-reference-without-title-capital", Off, [], []: VoxPupuli "resource_reference_without_title_capital", Error, ON, None, references::without_title_capital;
                ResourceReferenceWithUnquotedTitle = "resource-reference-with-unquoted-title", Off, [], []: VoxPupuli "resource_reference_with_unquoted_title", Error, ON, Safe, references::with_unquoted_title;
                SyntaxError: VoxPupuli "resource_reference_without_whitespace", Error, ON, None, references::without_whitespace;
                IllegalRelationshipOperandType: VoxPupuli "resource_reference_chain_without_whitespace", Error, ON, None, references::chain_without_whitespace;
                StrictIndent = "strict-indent", Off, [], []: VoxPupuli "strict_indent", Warning, ON, Formatting, strict_indent::check;
                TopscopeVariable = "topscope-variable", Off, [], []: VoxPupuli "topscope_variable", Warning, ON, Safe, topscope_variable::check;
                TrailingComma = "trailing-comma", Off, [], []: VoxPupuli "trailing_comma", Warning, ON, Formatting, trailing_comma::check;
                UnquotedStringInCase = "unquoted-string-in-case", Off, [], []: VoxPupuli "unquoted_string_in_case", Warning, ON, Safe, unquoted_string::in_case;
                UnquotedStringInSelector = "unquoted-string-in-selector", Off, [], []: VoxPupuli "unquoted_string_in_selector", Warning, ON, Safe, unquoted_string::in_selector;
                VariableContainsUpcase = "variable-contains-upcase", Off, [], []: VoxPupuli "variable_contains_upcase", Warning, ON, Unsafe, variable_contains_upcase::check;
                VersionComparison = "version-comparison", Off, [], []: VoxPupuli "version_comparison", Warning, ON, Unsafe, version_comparison::check;
                CheckUnsafeInterpolations = "check-unsafe-interpolations", Off, [], []: Plugin "check_unsafe_interpolations", Warning, ON, None, check_unsafe_interpolations::check;
            }
        }
    };
}
