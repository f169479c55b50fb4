//! Queue of notifications and requests to the client. Any thread may add to it, without ever blocking.

use std::pin::Pin;

use lsp_types::MessageType;
use tokio::sync::mpsc;
use tower_lsp::Client;

use crate::connection::transport::WeakOutput;

type Sending = Pin<Box<dyn Future<Output = ()> + Send>>;
type ClientTask = Box<dyn FnOnce(Client) -> Sending + Send>;

enum OutboxItem {
    /// Sent before anything added after it.
    InOrder(ClientTask),
    /// Waits for the client, without holding up other items.
    Concurrent(ClientTask),
    /// The client accepts requests from now on.
    ClientReady,
}

/// Sending end of the queue. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Outbox {
    items: mpsc::UnboundedSender<OutboxItem>,
    output: WeakOutput,
}

/// Receiving end of the queue, for [`Delivery::run`].
pub(super) struct Delivery {
    items: mpsc::UnboundedReceiver<OutboxItem>,
}

pub(super) fn new(output: WeakOutput) -> (Outbox, Delivery) {
    let (items, receiver) = mpsc::unbounded_channel();
    (Outbox { items, output }, Delivery { items: receiver })
}

impl Outbox {
    /// Sends notifications, after everything added before.
    pub(super) fn notify<F>(&self, send: impl FnOnce(Client) -> F + Send + 'static)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.put(OutboxItem::InOrder(Box::new(move |client| Box::pin(send(client)))));
    }

    /// Sends a message that is already serialized, directly to the writer.
    pub(super) fn send(&self, message: Vec<u8>) {
        self.output.send(message);
    }

    /// Sends requests as soon as the client accepts them, and handles their responses.
    pub(super) fn ask<F>(&self, ask: impl FnOnce(Client) -> F + Send + 'static)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.put(OutboxItem::Concurrent(Box::new(move |client| Box::pin(ask(client)))));
    }

    /// Marks the client as ready for requests.
    pub(super) fn client_ready(&self) {
        self.put(OutboxItem::ClientReady);
    }

    /// Logs a message to the client and to our own log.
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
        // Fails if the connection is closed.
        let _ = self.items.send(item);
    }
}

impl Delivery {
    /// Delivers items until all sending ends are dropped.
    pub(super) async fn run(mut self, client: Client) {
        // Items held back until the client is ready.
        let mut waiting = Some(Vec::new());
        let ask = |task: ClientTask| drop(tokio::spawn(task(client.clone())));
        while let Some(item) = self.items.recv().await {
            match (item, &mut waiting) {
                (OutboxItem::InOrder(task), _) => task(client.clone()).await,
                (OutboxItem::Concurrent(task), Some(waiting)) => waiting.push(task),
                (OutboxItem::Concurrent(task), None) => ask(task),
                (OutboxItem::ClientReady, _) => waiting.take().into_iter().flatten().for_each(ask),
            }
        }
    }
}
