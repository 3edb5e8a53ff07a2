import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'

/** A browser without a window, with files of its own. */
export interface TestBrowser {
  readonly browser: Browser
  /** Ends it and removes its files. */
  close(): Promise<void>
}

/**
 * Starts the Chromium that a package brings along, for Linux on x64; elsewhere, or where its libraries are
 * missing, `TEST_BROWSER` names one that is installed. Rejects with what to do when none can be started.
 */
export async function startBrowser(): Promise<TestBrowser> {
  const files = await mkdtemp(join(tmpdir(), 'gateleg-browser-'))
  const removeFiles = () => rm(files, { recursive: true, force: true })
  const before = process.env.TMPDIR
  // The packages unpack the program and make its profile wherever temporary files go.
  process.env.TMPDIR = files
  try {
    const { chromium } = await import('playwright-core')
    const executablePath = process.env.TEST_BROWSER ?? (await unpackBrowser())
    // As root, and in containers, its sandbox can't be had; it opens nothing but the server of the test.
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
    return {
      browser,
      close: async () => {
        await browser.close()
        await removeFiles()
      },
    }
  } catch (error) {
    await removeFiles()
    throw new Error(
      'No browser could be started, which this test needs. On Linux, libraries of the system may be missing ' +
        '(libnss3 and libnspr4, as a rule): install them, or name an installed Chromium or Chrome in TEST_BROWSER',
      { cause: error },
    )
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
}

/** Folder for pictures of the pages that tests see, in the root of the repository; git leaves it out. */
const screenshots = join(import.meta.dirname, '../screenshots')

/** Keeps a picture of the whole page, for people to look at; the one of the run before is replaced. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true })
}

/** What axe finds that keeps somebody from using the page, or makes it hard. */
export async function seriousFaults(page: Page): Promise<readonly string[]> {
  const path = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
  await page.evaluate(await readFile(path, 'utf8'))
  const { violations } = (await page.evaluate('axe.run()')) as {
    readonly violations: readonly { readonly id: string; readonly impact: string }[]
  }
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  return serious.map(({ id }) => id)
}

async function unpackBrowser(): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('The Chromium of the package is for Linux on x64')
  }
  const { default: packed } = await import('@sparticuz/chromium')
  return packed.executablePath()
}
