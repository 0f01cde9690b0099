/** What a package takes from its surroundings: for the programs of this repository that is what the root depends on. */

/** The part of a package.json that says what a package needs. */
export interface Manifest {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/**
 * The peers of packages that the root does not depend on. `npm start` installs the programs without what is for
 * development, so the copy that a package has for its tests is not there, and an import fails once it is reached.
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
