/** What a run of the tests reports of each file, in JSON. */
export interface TestReport {
  readonly numPassedTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    /** Why no test of the file could be run, if so. */
    readonly message: string
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[]
      readonly title: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

/** A test that failed in a round, with all that it takes to see it fail again. */
export interface Find {
  readonly file: string
  /** The titles that lead to the test, and its own; none where no test of the file could be run. */
  readonly titles: readonly string[]
  readonly message: string
  readonly seed: number
  /** The way to the shrunk case, undefined where the failure told none: the whole test is to be run again. */
  readonly path: string | undefined
  readonly command: string
}

const told = /\{ seed: (-?\d+), path: "([\d:]+)", endOnFailure: true \}/

/** The tests that failed in the round that began at the seed. */
export function findsIn(report: TestReport, seed: number, stores: string | undefined): Find[] {
  return report.testResults.flatMap((file) => {
    const failed = file.assertionResults.filter(({ status }) => status === 'failed')
    const finds = failed.map(({ ancestorTitles, title, failureMessages }) => {
      const titles = [...ancestorTitles, title]
      return toFind({ file: file.name, titles, message: failureMessages.join('\n') })
    })
    if (finds.length > 0 || file.status !== 'failed') return finds
    return [toFind({ file: file.name, titles: [], message: file.message })]
  })

  function toFind(failure: Pick<Find, 'file' | 'titles' | 'message'>): Find {
    const [, itsSeed = String(seed), path] = told.exec(failure.message) ?? []
    const settings = [
      ...(stores === undefined ? [] : [`STORES=${stores}`]),
      `RANDOM_SEED=${itsSeed}`,
      ...(path === undefined ? [] : [`RANDOM_PATH=${path}`]),
    ]
    const title = failure.titles.at(-1)
    const only = title === undefined ? '' : ` -t ${quoted(toPattern(title))}`
    const command = `${settings.join(' ')} npx --yes pnpm@12 exec vitest run ${failure.file}${only}`
    return { ...failure, seed: Number(itsSeed), path, command }
  }
}

/** A pattern that matches names that end in the title, whatever characters it has. */
function toPattern(title: string): string {
  return `${title.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`
}

/** Text as one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
