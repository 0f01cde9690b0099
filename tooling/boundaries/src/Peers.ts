/** Checks that the root depends on the peers of packages, because the programs of this repository run from the root. */

/** The name and the dependencies in a package.json. */
export interface Manifest {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/**
 * Returns the peers of packages that the root does not depend on. `npm start` installs no development dependencies, so a
 * package's own copy for its tests is absent, and its import fails at run time.
 */
export const missingPeers = (root: Manifest, packages: ReadonlyArray<Manifest>): ReadonlyArray<string> =>
  packages.flatMap(({ name, peerDependencies = {} }) =>
    Object.keys(peerDependencies)
      .filter((peer) => root.dependencies?.[peer] === undefined)
      .map(
        (peer) =>
          `package.json: ${peer}, a peer of ${name}, is not installed with the programs.\n` +
          `  Add it to the dependencies of the root: npm start installs nothing that is for development.`
      )
  )
