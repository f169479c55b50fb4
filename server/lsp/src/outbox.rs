//! What goes to the client on our own account. Anyone may put something in, nobody ever waits for it.

use std::pin::Pin;

use lsp_types::MessageType;
use tokio::sync::mpsc;
use tower_lsp::Client;

use crate::connection::transport::WeakOutput;

type Sending = Pin<Box<dyn Future<Output = ()> + Send>>;
type Letter = Box<dyn FnOnce(Client) -> Sending + Send>;

enum OutboxItem {
    /// Sent before anything behind it.
    InOrder(Letter),
    /// Something that waits for the client; the rest goes on meanwhile.
    Aside(Letter),
    /// From now on the client answers requests.
    Answers,
}

/// The way in. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Outbox {
    items: mpsc::UnboundedSender<OutboxItem>,
    output: WeakOutput,
}

/// The other end, for [`Delivery::run`].
pub(super) struct Delivery {
    items: mpsc::UnboundedReceiver<OutboxItem>,
}

pub(super) fn new(output: WeakOutput) -> (Outbox, Delivery) {
    let (items, receiver) = mpsc::unbounded_channel();
    (Outbox { items, output }, Delivery { items: receiver })
}

impl Outbox {
    /// Sends notifications, after all that was put in before.
    pub(super) fn notify<F>(&self, send: impl FnOnce(Client) -> F + Send + 'static)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.put(OutboxItem::InOrder(Box::new(move |client| Box::pin(send(client)))));
    }

    /// Sends a message that is JSON already, straight to the writer.
    pub(super) fn send(&self, message: Vec<u8>) {
        self.output.send(message);
    }

    /// Sends requests, as soon as the client answers some, and does something with their answers.
    pub(super) fn ask<F>(&self, ask: impl FnOnce(Client) -> F + Send + 'static)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.put(OutboxItem::Aside(Box::new(move |client| Box::pin(ask(client)))));
    }

    /// The client has said that it is ready for requests.
    pub(super) fn client_answers(&self) {
        self.put(OutboxItem::Answers);
    }

    /// Logs to the client and to our own log.
    pub(super) fn log(&self, kind: MessageType, message: impl Into<String>) {
        let message = message.into();
        match kind {
            MessageType::Error => tracing::error!("{message}"),
            MessageType::Warning => tracing::warn!("{message}"),
            _ => tracing::info!("{message}"),
        }
        self.notify(move |client| async move { client.log_message(kind, message).await });
    }

    /// Shows a message to the user.
    pub(super) fn show(&self, kind: MessageType, message: impl Into<String>) {
        let message = message.into();
        tracing::info!("shown to the user: {message}");
        self.notify(move |client| async move { client.show_message(kind, message).await });
    }

    fn put(&self, item: OutboxItem) {
        // Fails when the connection is gone, and then nobody is left to tell.
        let _ = self.items.send(item);
    }
}

impl Delivery {
    /// Delivers until all ways in are gone.
    pub(super) async fn run(mut self, client: Client) {
        // What waits for the client to be ready.
        let mut waiting = Some(Vec::new());
        let ask = |letter: Letter| drop(tokio::spawn(letter(client.clone())));
        while let Some(item) = self.items.recv().await {
            match (item, &mut waiting) {
                (OutboxItem::InOrder(letter), _) => letter(client.clone()).await,
                (OutboxItem::Aside(letter), Some(waiting)) => waiting.push(letter),
                (OutboxItem::Aside(letter), None) => ask(letter),
                (OutboxItem::Answers, _) => waiting.take().into_iter().flatten().for_each(ask),
            }
        }
    }
}
