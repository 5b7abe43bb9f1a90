/** TypeDoc reads programs by the compiler's API, which TypeScript 7 does not have: it gets a 5.9 of its own. */
function readPackage(manifest) {
  if (manifest.name === 'typedoc') {
    delete manifest.peerDependencies.typescript;
    manifest.dependencies.typescript = '5.9.3';
  }
  return manifest;
}

module.exports = { hooks: { readPackage } };
