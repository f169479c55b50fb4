;;; puppet-analyzer.el --- Language server for Puppet  -*- lexical-binding: t; -*-

;; Needs puppet-mode (MELPA, or Debian's elpa-puppet-mode). In your init file:
;;
;;   (load "/path/to/puppet-analyzer.el")
;;   (add-hook 'puppet-mode-hook #'eglot-ensure)    ; Eglot, part of Emacs 29
;;   (add-hook 'puppet-mode-hook #'lsp-deferred)    ; or lsp-mode

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

(provide 'puppet-analyzer)
;;; puppet-analyzer.el ends here
