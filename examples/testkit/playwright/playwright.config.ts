import { defineConfig } from "@playwright/test"

/** The browser that `npx playwright install chromium` brings, or the one that CHROMIUM names. */
const executablePath = process.env["CHROMIUM"]

export default defineConfig({ use: executablePath === undefined ? {} : { launchOptions: { executablePath } } })
