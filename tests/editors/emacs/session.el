;;; session.el --- User session in Emacs  -*- lexical-binding: t; -*-

(require 'cl-lib)
(setq puppet-analyzer-command (list (getenv "PUPPET_ANALYZER") "lsp"))
(defvar repository (file-name-as-directory (getenv "REPOSITORY")))
(defvar client (intern (getenv "CLIENT")))
(defvar failed 0)
(defalias 'y-or-n-p (lambda (&rest _) t))
(setq make-backup-files nil
      enable-local-variables nil
      vc-follow-symlinks t
      lsp-auto-guess-root t
      lsp-enable-file-watchers nil
      lsp-restart 'ignore
      lsp-session-file (expand-file-name "~/lsp-session")
      lsp-warn-no-matched-clients nil
      lsp-keep-workspace-alive nil
      lsp-enable-snippet nil
      lsp-modeline-code-actions-enable nil
      lsp-modeline-diagnostics-enable nil
      lsp-modeline-workspace-status-enable nil
      lsp-headerline-breadcrumb-enable nil
      lsp-diagnostics-provider :flymake
      lsp-completion-provider :none
      lsp-idle-delay 0.05
      lsp-response-timeout 120
      eglot-connect-timeout 120
      flymake-no-changes-timeout 0.05
      eglot-send-changes-idle-time 0.05
      eglot-autoshutdown t)
(require 'puppet-mode)
(require 'flymake)
(require 'eldoc)
(require client)
(when (eq client 'lsp-mode) (require 'lsp-diagnostics) (require 'lsp-completion))
(when (eq client 'eglot) (setq jsonrpc-default-request-timeout 120))

(defun say (format &rest arguments)
  (princ (concat (apply #'format format arguments) "\n")))

(defmacro step (what &rest body)
  "Runs BODY as the step WHAT, which passes if the value is non-nil."
  (declare (indent 1))
  `(condition-case problem
       (let ((value (progn ,@body)))
         (if value (say "ok: %s%s" ,what (if (stringp value) (concat ": " value) ""))
           (cl-incf failed)
           (say "FAILED: %s" ,what)))
     (error (cl-incf failed)
            (say "FAILED: %s: %s" ,what (error-message-string problem)))))

(defun until (question)
  "Waits until QUESTION is non-nil, for at most two minutes."
  (let ((end (+ (float-time) 120)) (answer nil))
    (while (and (not (setq answer (funcall question))) (< (float-time) end))
      (accept-process-output nil 0.05)
      ;; Idle timers do not run in batch mode.
      (dolist (timer (append timer-idle-list nil))
        (when (memq (timer--function timer) '(eglot--signal-textDocument/didChange lsp-idle-hook))
          (timer-event-handler timer))))
    answer))

(defun asking-again (ask question)
  "Calls ASK immediately and every five seconds until QUESTION is non-nil."
  (let ((next 0))
    (until (lambda ()
             (when (> (float-time) next)
               (setq next (+ (float-time) 5))
               (funcall ask))
             (funcall question)))))

(defun open-file (path)
  (find-file (concat repository path))
  (unless (eq major-mode 'puppet-mode) (puppet-mode))
  (if (eq client 'eglot)
      (unless (eglot-current-server)
        (apply #'eglot (let ((guessed (eglot--guess-contact))) (append guessed (when (< (length guessed) 5) (list nil))))))
    (lsp-workspace-folders-add (directory-file-name repository))
    (lsp))
  (until (lambda () (if (eq client 'eglot) (eglot-current-server) (lsp-workspaces)))))

(defun errors ()
  "Returns the messages of errors; hints about unused items follow them."
  (flymake-start)
  (mapcar #'flymake-diagnostic-text
          (seq-filter (lambda (it) (memq (flymake-diagnostic-type it) '(eglot-error :error))) (flymake-diagnostics))))

(defun go-to (line column)
  (goto-char (point-min))
  (forward-line (1- line))
  (forward-char column))

(defun sent ()
  "Sends pending edits to the server, as the idle timer would."
  (if (eq client 'eglot) (eglot--signal-textDocument/didChange) t))

(defun request (method parameters)
  (sent)
  (if (eq client 'eglot)
      (jsonrpc-request (eglot--current-server-or-lose) method parameters :timeout 120)
    (lsp-request (substring (symbol-name method) 1) parameters)))

(defun place ()
  (if (eq client 'eglot) (eglot--TextDocumentPositionParams) (lsp--text-document-position-params)))

(step "a broken file has diagnostics"
  (open-file "site-modules/profile/manifests/broken_syntax.pp")
  (until (lambda () (and (= (length (errors)) 3) (car (errors))))))
(step "an edit removes one"
  (go-to 3 0)
  (delete-region (point) (line-end-position))
  (insert "  String $owner = 'app',")
  (sent)
  (until (lambda () (= (length (errors)) 2))))
(set-buffer-modified-p nil)

(step "hover shows a type"
  (open-file "site-modules/profile/manifests/base.pp")
  (go-to 17 5)
  (until (lambda ()
           (let ((found (format "%S" (request :textDocument/hover (place)))))
             (and (string-match "Optional\\[Enum\\[[^]]*\\]\\]" found) (match-string 0 found))))))
(step "eldoc shows it"
  (if (eq client 'eglot)
      (let (said)
        (asking-again (lambda () (eglot-hover-eldoc-function (lambda (text &rest _) (setq said text))))
                      (lambda () said))
        (and (stringp said) (string-match "chrony" said) t))
    (let (said)
      (asking-again (lambda () (lsp-request-async "textDocument/hover" (place) (lambda (hover) (setq said (lsp:hover-contents hover)))))
                    (lambda () said)))))
(step "xref goes to the definition in another file"
  (go-to 38 13)
  (until (lambda ()
           (let ((found (xref-backend-definitions (if (eq client 'eglot) 'eglot 'xref-lsp) (propertize "motd" 'identifier-at-point t))))
             (and found (string-match "motd/manifests/init.pp" (format "%S" found)) t)))))
(step "xref finds references in other files"
  (go-to 6 8)
  (until (lambda ()
           (let ((found (xref-backend-references (if (eq client 'eglot) 'eglot 'xref-lsp) (propertize "profile::base" 'identifier-at-point t))))
             (and (string-match "site.pp" (format "%S" found)) (format "%d" (length found)))))))
(step "completion offers functions"
  (go-to 10 0)
  (end-of-line)
  (insert "\n  $joined = $packages.joi")
  (sent)
  (until (lambda ()
           (let* ((capf (if (eq client 'eglot) (eglot-completion-at-point) (lsp-completion-at-point)))
                  (found (all-completions "joi" (nth 2 capf))))
             (and (member "join" (mapcar #'substring-no-properties found)) (format "%d" (length found)))))))
(revert-buffer t t t)
(step "a command shows the catalog of the class at point"
  (open-file "modules/motd/manifests/init.pp")
  (goto-char (point-min))
  (search-forward "class motd")
  (call-interactively #'puppet-analyzer-show-catalog)
  (let ((buffer (seq-find (lambda (it) (string-prefix-p "*puppet: motd on " (buffer-name it))) (buffer-list))))
    (and buffer (with-current-buffer buffer (string-match "File\\[/etc/motd\\]" (buffer-string))) (buffer-name buffer))))
(step "a command shows its relationships"
  (puppet-analyzer-show-graph '(:class "profile::base"))
  (let ((buffer (seq-find (lambda (it) (string-prefix-p "*puppet: profile::base on " (buffer-name it))) (buffer-list))))
    (and buffer (with-current-buffer buffer (string-match "notifies Service\\[chron" (buffer-string))) (buffer-name buffer))))
(step "a command evaluates the expression at point"
  (open-file "site-modules/profile/manifests/base.pp")
  (go-to 10 0)
  (end-of-line)
  (insert "\n  $joined = ['a', 'b'].join('-')")
  (go-to 11 24)
  (string-match "a-b" (format "%s" (puppet-analyzer-evaluate))))
(revert-buffer t t t)
(step "rename changes other files"
  (open-file "site-modules/profile/manifests/base.pp")
  (go-to 8 33)
  (if (eq client 'eglot) (eglot-rename "ntp_servers") (lsp-rename "ntp_servers"))
  (and (string-match "ntp_servers" (buffer-string)) (not (string-match "\\$time_servers" (buffer-string)))))
(dolist (buffer (buffer-list))
  (with-current-buffer buffer (set-buffer-modified-p nil)))
(say (if (= failed 0) "all passed" "%d failed") failed)
(kill-emacs (if (= failed 0) 0 1))
