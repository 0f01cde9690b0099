// What pnpm changes of a package.json while it packs.
export const hooks = {
  /** A published program has all that it needs in its bundle: its dependencies are for those who run its source. */
  beforePacking(manifest) {
    if (manifest.bin === undefined) return manifest
    const { dependencies: _, ...packed } = manifest
    return packed
  }
}
