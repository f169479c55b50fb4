;;; puppet-analyzer.el --- Language server for Puppet  -*- lexical-binding: t; -*-

;; Needs puppet-mode (MELPA, or Debian's elpa-puppet-mode). In your init file:
;;
;;   (load "/path/to/puppet-analyzer.el")
;;   (add-hook 'puppet-mode-hook #'eglot-ensure)    ; Eglot, part of Emacs 29
;;   (add-hook 'puppet-mode-hook #'lsp-deferred)    ; or lsp-mode
;;
;; Commands: `puppet-analyzer-show-catalog', `puppet-analyzer-show-graph', and
;; `puppet-analyzer-evaluate'.

;;; Code:

(defvar puppet-analyzer-command '("puppet-analyzer" "lsp")
  "Command that starts the server.")

(add-to-list 'auto-mode-alist '("\\.epp\\'" . puppet-mode))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               (cons 'puppet-mode (lambda (&rest _) puppet-analyzer-command))))

(with-eval-after-load 'lsp-mode
  (add-to-list 'lsp-language-id-configuration '(puppet-mode . "puppet"))
  (lsp-register-client
   (make-lsp-client
    :new-connection (lsp-stdio-connection (lambda () puppet-analyzer-command))
    :activation-fn (lsp-activate-on "puppet")
    :priority 1
    :server-id 'puppet-analyzer)))

;; Commands of the server.  They work with both clients.

(defun puppet-analyzer--uses-eglot-p ()
  (and (fboundp 'eglot-current-server) (eglot-current-server)))

(defun puppet-analyzer--execute (command argument)
  "Run COMMAND of the server with ARGUMENT, a plist, and return its result."
  (let ((params (list :command command
                      :arguments (vector (append argument '(:show :json-false))))))
    (cond ((puppet-analyzer--uses-eglot-p)
           (when (fboundp 'eglot--signal-textDocument/didChange)
             (eglot--signal-textDocument/didChange))
           (jsonrpc-request (eglot-current-server) :workspace/executeCommand params :timeout 60))
          ((bound-and-true-p lsp-mode)
           (lsp-request "workspace/executeCommand" params))
          (t (user-error "No language server in this buffer")))))

(defun puppet-analyzer--get (result key)
  "Return the value of KEY, a keyword, in RESULT, an object of either client."
  (if (hash-table-p result)
      (gethash (substring (symbol-name key) 1) result)
    (plist-get result key)))

(defun puppet-analyzer--position ()
  (if (puppet-analyzer--uses-eglot-p)
      (eglot--TextDocumentPositionParams)
    (lsp--text-document-position-params)))

(defun puppet-analyzer--class ()
  "Return the class to show: the one at point, or with a prefix argument another one."
  (if current-prefix-arg
      (list :class (read-string "Class: "))
    (puppet-analyzer--position)))

(defun puppet-analyzer--show (result)
  "Show the text of RESULT in a buffer with its title."
  (let ((buffer (get-buffer-create (format "*puppet: %s*" (puppet-analyzer--get result :title)))))
    (with-current-buffer buffer
      (let ((inhibit-read-only t))
        (erase-buffer)
        (insert (puppet-analyzer--get result :text))
        (goto-char (point-min)))
      (special-mode))
    (display-buffer buffer)))

(defun puppet-analyzer-show-catalog (class)
  "Show the catalog of CLASS, an argument of the server's command."
  (interactive (list (puppet-analyzer--class)))
  (puppet-analyzer--show (puppet-analyzer--execute "puppet.showCatalog" class)))

(defun puppet-analyzer-show-graph (class)
  "Show the resources of CLASS and their relationships."
  (interactive (list (puppet-analyzer--class)))
  (puppet-analyzer--show
   (puppet-analyzer--execute "puppet.showGraph" (append class '(:format "text")))))

(defun puppet-analyzer-evaluate ()
  "Evaluate the region, or the expression at point, and show its value."
  (interactive)
  (let* ((at (puppet-analyzer--position))
         (position (lambda (place)
                     (save-excursion
                       (goto-char place)
                       (plist-get (puppet-analyzer--position) :position))))
         (start (if (use-region-p) (funcall position (region-beginning)) (plist-get at :position)))
         (end (if (use-region-p) (funcall position (region-end)) (plist-get at :position)))
         (result (puppet-analyzer--execute
                  "puppet.evaluate"
                  (list :textDocument (plist-get at :textDocument)
                        :range (list :start start :end end))))
         (logs (mapcar (lambda (log)
                         (format "%s: %s" (puppet-analyzer--get log :level) (puppet-analyzer--get log :message)))
                       (puppet-analyzer--get result :logs)))
         (errors (mapcar (lambda (it)
                           (format "error[%s]: %s" (puppet-analyzer--get it :code) (puppet-analyzer--get it :message)))
                         (puppet-analyzer--get result :errors)))
         (type (puppet-analyzer--get result :type))
         (value (and type (format "%s : %s" (or (puppet-analyzer--get result :value) "unknown value") type))))
    (message "%s" (string-join (append (and value (list value)) logs errors) "\n"))))

(provide 'puppet-analyzer)
;;; puppet-analyzer.el ends here
