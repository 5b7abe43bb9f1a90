const path = require('node:path');
const { homepage, bugs, repository } = require('./package.json');

/** TypeDoc reads programs by the compiler's API, which TypeScript 7 does not have: it gets a 5.9 of its own. */
function readPackage(manifest) {
  if (manifest.name === 'typedoc') {
    delete manifest.peerDependencies.typescript;
    manifest.dependencies.typescript = '5.9.3';
  }
  return manifest;
}

/** What this repository alone needs stays here, and where the project lives comes from the manifest of the root. */
function beforePacking({ devDependencies: _dev, scripts: _scripts, ...manifest }, folder) {
  const directory = path.relative(__dirname, folder).replaceAll('\\', '/');
  return {
    ...withoutBundled(withoutSources(manifest)),
    homepage: `${homepage}/tree/main/${directory}#readme`,
    bugs,
    repository: { ...repository, directory },
  };
}

/** rostack-cli has our packages in its bundle: they are its dependencies only so that it is released with them. */
function withoutBundled(manifest) {
  if (manifest.name !== 'rostack-cli') return manifest;
  const kept = Object.entries(manifest.dependencies).filter(([name]) => !name.startsWith('rostack-'));
  return { ...manifest, dependencies: Object.fromEntries(kept) };
}

/** Without the condition by which packages of this repository find each other's sources, which are not packed. */
function withoutSources(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const kept = Object.entries(value).filter(([name]) => name !== 'workspace-source');
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutSources(member)]));
}

module.exports = { hooks: { readPackage, beforePacking } };
