//! Raised and rescued exceptions.

use std::rc::Rc;

use plugins::code::{Rescue, RubyExpression, RubyExpressionKind};
use smol_str::SmolStr;

use super::classes::RubyModule;
use super::interpreter::Interpreter;
use super::methods::{CallArguments, described};
use super::value::{Object, Ruby, Stop, raise_as, unsupported};

/// Ruby exception.
#[derive(Clone, Debug)]
pub struct RubyError {
    /// Message of the exception.
    pub message: String,
    /// Class, if it is built into Ruby or Puppet; empty for an unknown subclass of `StandardError`.
    pub class: SmolStr,
    /// Exception object, if the class is user-defined.
    pub(super) object: Option<Object>,
    /// True if the message is exactly Ruby's.
    pub(super) is_exact: bool,
}

/// Hidden instance variable that holds the message of an exception.
pub(super) const MESSAGE: &str = "exception message";

impl RubyError {
    pub(super) fn new(class: &str, message: impl Into<String>) -> RubyError {
        RubyError { message: message.into(), class: class.into(), object: None, is_exact: true }
    }

    /// Creates an exception of an unknown subclass of `StandardError` with an approximate message.
    pub(super) fn of_standard(message: impl Into<String>) -> RubyError {
        RubyError { is_exact: false, ..RubyError::new("", message) }
    }

    pub(super) fn into_object(self: Rc<RubyError>) -> Object {
        match &self.object {
            Some(object) => object.clone(),
            None => Object::Error(self),
        }
    }
}

/// Exception classes and their superclasses.
const ERRORS: &[(&str, &str)] = &[
    ("Exception", "Object"),
    ("StandardError", "Exception"),
    ("ScriptError", "Exception"),
    ("LoadError", "ScriptError"),
    ("NotImplementedError", "ScriptError"),
    ("SecurityError", "Exception"),
    ("ArgumentError", "StandardError"),
    ("UncaughtThrowError", "ArgumentError"),
    ("EncodingError", "StandardError"),
    ("FiberError", "StandardError"),
    ("IOError", "StandardError"),
    ("EOFError", "IOError"),
    ("IndexError", "StandardError"),
    ("KeyError", "IndexError"),
    ("StopIteration", "IndexError"),
    ("LocalJumpError", "StandardError"),
    ("NameError", "StandardError"),
    ("NoMethodError", "NameError"),
    ("RangeError", "StandardError"),
    ("FloatDomainError", "RangeError"),
    ("RegexpError", "StandardError"),
    ("RuntimeError", "StandardError"),
    ("FrozenError", "RuntimeError"),
    ("SystemCallError", "StandardError"),
    ("Errno::ENOENT", "SystemCallError"),
    ("Errno::EACCES", "SystemCallError"),
    ("ThreadError", "StandardError"),
    ("TypeError", "StandardError"),
    ("ZeroDivisionError", "StandardError"),
    ("SocketError", "StandardError"),
    ("Timeout::Error", "RuntimeError"),
    ("Psych::SyntaxError", "Psych::Exception"),
    ("Psych::Exception", "RuntimeError"),
    ("YAML::SyntaxError", "Psych::Exception"),
    ("JSON::JSONError", "StandardError"),
    ("JSON::ParserError", "JSON::JSONError"),
    ("OpenSSL::OpenSSLError", "StandardError"),
    ("OpenSSL::X509::CertificateError", "OpenSSL::OpenSSLError"),
    ("OpenSSL::PKey::PKeyError", "OpenSSL::OpenSSLError"),
    ("OpenSSL::PKey::RSAError", "OpenSSL::PKey::PKeyError"),
    ("URI::Error", "StandardError"),
    ("URI::InvalidComponentError", "URI::Error"),
    ("URI::InvalidURIError", "URI::Error"),
    ("IPAddr::Error", "ArgumentError"),
    ("IPAddr::InvalidAddressError", "IPAddr::Error"),
    ("IPAddr::AddressFamilyError", "IPAddr::Error"),
    ("IPAddr::InvalidPrefixError", "IPAddr::InvalidAddressError"),
    ("Puppet::Error", "RuntimeError"),
    ("Puppet::DevError", "Puppet::Error"),
    ("Puppet::ParseError", "Puppet::Error"),
    ("Puppet::ParseErrorWithIssue", "Puppet::ParseError"),
    ("Puppet::PreformattedError", "Puppet::ParseErrorWithIssue"),
    ("Puppet::ResourceError", "Puppet::Error"),
    ("Puppet::DataBinding::LookupError", "Puppet::PreformattedError"),
    ("Puppet::ExecutionFailure", "Puppet::Error"),
];

/// Returns true for exception classes of Ruby and Puppet.
pub(super) fn is_error_class(path: &str) -> bool {
    ERRORS.iter().any(|(known, _)| *known == path)
}

/// Returns true if `class` is `other` or inherits from it; `None` if one of them is not known.
fn inherits(class: &str, other: &str) -> Option<bool> {
    let is_above_all = matches!(other, "Object" | "BasicObject" | "Exception");
    if is_above_all || other == "StandardError" && class.is_empty() {
        return Some(true);
    }
    let parent = |class: &str| ERRORS.iter().find(|(known, _)| *known == class).map(|(_, parent)| *parent);
    parent(other)?;
    let mut class = ERRORS.iter().find(|(known, _)| *known == class).map(|(known, _)| *known)?;
    while class != other {
        match parent(class) {
            Some(above) => class = above,
            None => return Some(false),
        }
    }
    Some(true)
}

impl Interpreter<'_> {
    /// Evaluates `begin` with `rescue` or `ensure`.
    pub(super) fn rescued(&mut self, kind: &RubyExpressionKind) -> Ruby {
        let RubyExpressionKind::Rescued { body, rescues, otherwise, ensure } = kind else {
            return unsupported();
        };
        let result = loop {
            self.step(1)?;
            match self.rescued_once(body, rescues, otherwise) {
                Err(Stop::Retry) => {}
                other => break other,
            }
        };
        // After an unknown value, `ensure` is not executed.
        if !matches!(result, Err(Stop::Unknown(_) | Stop::Exit(_))) {
            self.statements(ensure)?;
        }
        result
    }

    fn rescued_once(
        &mut self,
        body: &[RubyExpression],
        rescues: &[Rescue],
        otherwise: &[RubyExpression],
    ) -> Ruby {
        // An exception caused by an unknown value would be rescued.
        self.rescuing += u32::from(!rescues.is_empty());
        let result = self.statements(body);
        self.rescuing -= u32::from(!rescues.is_empty());
        let error = match result {
            Err(Stop::Raise(error)) => error,
            Ok(_) if !otherwise.is_empty() => return self.statements(otherwise),
            // The class of the exception is not known.
            Err(Stop::Exit(exit)) if exit.is_error && !rescues.is_empty() => {
                self.note_reason(0, || "rescued Puppet error".to_owned());
                return unsupported();
            }
            other => return other,
        };
        for rescue in rescues {
            if !self.is_rescued(rescue, &error)? {
                continue;
            }
            self.failed_at = None;
            if let Some(target) = &rescue.target {
                self.assign(target, error.clone().into_object())?;
            }
            let before = self.current_error.replace(error);
            let result = self.statements(&rescue.body);
            self.current_error = before;
            return result;
        }
        Err(Stop::Raise(error))
    }

    fn is_rescued(&mut self, rescue: &Rescue, error: &RubyError) -> Ruby<bool> {
        if rescue.classes.is_empty() {
            return self.is_exception_instance(error, &Object::Constant("StandardError".into()));
        }
        for class in self.list(&rescue.classes)? {
            if self.is_exception_instance(error, &class)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns true if an exception is an instance of a class.
    pub(super) fn is_exception_instance(&self, error: &RubyError, class: &Object) -> Ruby<bool> {
        let module = match &error.object {
            Some(Object::Instance(instance)) => Some(instance.class.clone()),
            _ => None,
        };
        match class {
            Object::Module(class) if !class.is_native => {
                Ok(module.is_some_and(|module| module.ancestors().iter().any(|it| Rc::ptr_eq(it, class))))
            }
            Object::Module(class) => {
                let path = class.name.borrow().clone();
                self.is_exception_instance(error, &Object::Constant(path))
            }
            Object::Constant(path) => {
                let own = match module {
                    Some(module) => module.native_ancestor().unwrap_or_default(),
                    None => error.class.clone(),
                };
                inherits(&own, path).map_or_else(unsupported, Ok)
            }
            _ => unsupported(),
        }
    }

    /// Evaluates `raise` and `fail`.
    pub(super) fn raise(&mut self, arguments: &[Object]) -> Ruby {
        let error = match arguments {
            [] => match &self.current_error {
                Some(error) => return Err(Stop::Raise(error.clone())),
                None => RubyError::new("RuntimeError", "unhandled exception"),
            },
            [Object::Text(message)] => RubyError::new("RuntimeError", message.content.borrow().as_str()),
            [Object::Error(error), rest @ ..] => {
                let mut error = (**error).clone();
                match rest {
                    [] => {}
                    [Object::Unknown(_), ..] => error.is_exact = false,
                    [message, ..] => {
                        error.message = self.text_of(message)?;
                        error.is_exact = true;
                    }
                }
                error
            }
            [instance @ Object::Instance(_)] => self.error_of_instance(instance)?,
            [Object::Module(class), rest @ ..] if !class.is_native => {
                let message: Vec<Object> = rest.iter().take(1).cloned().collect();
                let instance = self.new_instance(class, CallArguments::plain(message), None)?;
                self.error_of_instance(&instance)?
            }
            [Object::Module(class), rest @ ..] => {
                let class = Object::Constant(class.name.borrow().clone());
                let all: Vec<Object> = std::iter::once(class).chain(rest.iter().cloned()).collect();
                return self.raise(&all);
            }
            [Object::Constant(class), rest @ ..] => {
                let message = match rest.first() {
                    // Most messages repeat that of the rescued exception.
                    Some(Object::Unknown(_)) if let Some(rescued) = &self.current_error => {
                        rescued.message.clone()
                    }
                    Some(Object::Unknown(_) | Object::Nil) | None => class.to_string(),
                    Some(message) => self.text_of(message)?,
                };
                let is_exact = !matches!(rest.first(), Some(Object::Unknown(_)));
                if is_error_class(class) {
                    RubyError { is_exact, ..RubyError::new(class, message) }
                } else {
                    RubyError::of_standard(message)
                }
            }
            // Any argument results in an exception, whatever its type.
            [Object::Unknown(_)] if self.rescuing == 0 => RubyError::of_standard("unknown error"),
            [Object::Unknown(origin), ..] => return Err(Stop::Unknown(*origin)),
            [other, ..] => {
                return raise_as(
                    "TypeError",
                    format!("exception class/object expected, got {}", described(other)?),
                );
            }
        };
        Err(Stop::Raise(Rc::new(error)))
    }

    fn error_of_instance(&mut self, instance: &Object) -> Ruby<RubyError> {
        let Object::Instance(inner) = instance else { return unsupported() };
        let class = inner.class.native_ancestor().filter(|class| is_error_class(class));
        let Some(class) = class else { return unsupported() };
        let message = self.call_method_of(instance, "message", Vec::new())?;
        let message = self.text_of(&message)?;
        Ok(RubyError { object: Some(instance.clone()), ..RubyError::new(&class, message) })
    }
}

/// Returns the message of a user-defined exception. For `nil` it is the name of the class.
pub(super) fn message_of(class: &RubyModule, message: Option<&Object>) -> Object {
    match message {
        None | Some(Object::Nil) => Object::text(class.name.borrow().as_str()),
        Some(message) => message.clone(),
    }
}
