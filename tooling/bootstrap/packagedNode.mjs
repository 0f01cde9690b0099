// The packaged Node (tooling/node), for machines with a Node older than 24. A link in node_modules/.bin selects it for every
// script; without the link the scripts run on the installed Node.
import { existsSync, lstatSync, mkdirSync, realpathSync, renameSync, rmSync, symlinkSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"

const root = realpathSync(join(dirname(fileURLToPath(import.meta.url)), "../.."))
const link = join(root, "node_modules/.bin/node")
const packaged = join(root, "tooling/node/node_modules/.bin/node")

const wanted = 24

const isOurs = (path) => {
  try {
    return realpathSync(path).startsWith(root + sep)
  } catch {
    return false
  }
}

/** The major version of the machine's Node, or undefined if only the packaged one is visible. */
const installedMajor = () => {
  if (!isOurs(process.execPath)) return Number(process.versions.node.split(".", 1)[0])
  // npm says which Node runs it, also when the scripts run on the packaged one.
  const { npm_config_user_agent: agent = "", npm_node_execpath: runner } = process.env
  const major = /\bnode\/v(\d+)\./.exec(agent)?.[1]
  return runner !== undefined && major !== undefined && !isOurs(runner) ? Number(major) : undefined
}

/** True if the scripts need the packaged Node. If that is unknown, true if they have it. */
export const needsPackagedNode = () => {
  const major = installedMajor()
  return major === undefined ? existsSync(link) : major < wanted
}

/** True if the scripts find a packaged Node. */
export const hasPackagedNode = () => existsSync(link)

/** Adds or removes the link to the packaged Node. */
export const linkPackagedNode = (isNeeded) => {
  if (isNeeded && existsSync(packaged)) {
    // Renamed into place: a command that starts at the same moment may do the same, or run on the link.
    const made = `${link}-${process.pid}`
    mkdirSync(dirname(link), { recursive: true })
    rmSync(made, { force: true })
    symlinkSync(relative(dirname(link), realpathSync(packaged)), made)
    renameSync(made, link)
  } else if (lstatSync(link, { throwIfNoEntry: false }) !== undefined && (!isNeeded || !existsSync(link))) {
    rmSync(link, { force: true })
  }
}

// As the root's postinstall, for an install without the npm scripts.
if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  linkPackagedNode(needsPackagedNode())
}
