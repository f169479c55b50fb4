{
  description = "Language server and command-line checker for the Puppet language";
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";
  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      each = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
    in {
      packages = each (pkgs: {
        default = pkgs.rustPlatform.buildRustPackage {
          pname = "puppet-analyzer";
          version = "0.1.0";
          src = self;
          cargoLock.lockFile = ./Cargo.lock;
          cargoBuildFlags = [ "-p" "puppet-analyzer" ];
          doCheck = false;
          nativeBuildInputs = [ pkgs.installShellFiles ];
          postInstall = ''
            mkdir man
            $out/bin/puppet-analyzer man --output man
            installManPage man/*.1
            for shell in bash zsh fish; do
              installShellCompletion --cmd puppet-analyzer --$shell <($out/bin/puppet-analyzer completions $shell)
            done
          '';
        };
      });
    };
}
