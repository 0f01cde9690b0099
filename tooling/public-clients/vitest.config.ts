import { fileURLToPath } from "node:url"
import { mergeConfig } from "vitest/config"
import config from "../../vitest.config.ts"

const platform = (name: string) => fileURLToPath(new URL(`test/cloud/${name}.ts`, import.meta.url))

/** The app of the shop platform finds a platform of these tests where its own would be. */
export default mergeConfig(config, {
  test: {
    // Aliases and mocked modules are Vite's.
    experimental: { viteModuleRunner: true, nodeLoader: true },
    server: { deps: { inline: [/@cloudcommerce\/app-galaxpay/] } },
    alias: {
      "@cloudcommerce/api": platform("Store"),
      "@cloudcommerce/firebase/lib/config": platform("Config"),
      "@cloudcommerce/firebase/lib/init": platform("Config"),
      "@cloudcommerce/firebase/lib/helpers/pubsub": platform("Functions"),
      "firebase-admin/firestore": platform("Firestore"),
      "firebase-functions/logger": platform("Config"),
      "firebase-functions/v1": platform("Functions")
    }
  }
})
