// The Node that comes as a package (tooling/node), for machines whose own is older than 24. A link in node_modules/.bin
// puts it before the installed one for every script; without the link the scripts run on the installed one.
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

/** The major version of the Node that is installed on the machine, or undefined where only the packaged one can be seen. */
const installedMajor = () => {
  if (!isOurs(process.execPath)) return Number(process.versions.node.split(".", 1)[0])
  // npm says which Node runs it, also when the scripts run on the packaged one.
  const { npm_config_user_agent: agent = "", npm_node_execpath: runner } = process.env
  const major = /\bnode\/v(\d+)\./.exec(agent)?.[1]
  return runner !== undefined && major !== undefined && !isOurs(runner) ? Number(major) : undefined
}

/** Whether the scripts need the packaged Node; where that is not known, whether they have it. */
export const needsPackagedNode = () => {
  const major = installedMajor()
  return major === undefined ? existsSync(link) : major < wanted
}

/** Whether the scripts find a packaged Node. */
export const hasPackagedNode = () => existsSync(link)

/** Puts the packaged Node before the installed one, or takes it away. */
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

// As the root's postinstall, for whoever installs without the npm scripts.
if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  linkPackagedNode(needsPackagedNode())
}
