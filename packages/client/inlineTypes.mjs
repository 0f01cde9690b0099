// Copies the shared types of requests and responses into the published declarations, which must have no dependencies.
import { readdirSync, readFileSync, writeFileSync } from "node:fs"

const dist = new URL("dist/", import.meta.url)
const models = readFileSync(new URL("../transport/dist/client/ParcelaModels.d.ts", import.meta.url), "utf8")
writeFileSync(new URL("ParcelaModels.d.ts", dist), models.replace(/^\/\/# sourceMappingURL=.*$/m, ""))
for (const name of readdirSync(dist)) {
  if (!name.endsWith(".d.ts")) continue
  const file = new URL(name, dist)
  const text = readFileSync(file, "utf8").replaceAll("@parcela/transport/client/ParcelaModels", "./ParcelaModels.ts")
  const dependency = /from "[^.][^"]*"/.exec(text)
  if (dependency !== null) throw new Error(`dist/${name} imports ${dependency[0].slice(5)}`)
  writeFileSync(file, text)
}
