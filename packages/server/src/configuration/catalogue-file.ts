import { readFileSync, statSync } from 'node:fs'
import { type Catalogue, readCatalogue } from '@gateleg/domain/billing/catalogue'
import { Plans } from '@gateleg/domain/billing/plans'
import { limits } from '@gateleg/domain/limits'
import { ConfigurationError } from './configuration.ts'

/** What is told of a file that was read again. */
interface Log {
  info(sentence: string): void
  error(sentence: string): void
}

/** The plans of an instance, and a function that reads their file again; undefined where there is no file. */
interface OpenCatalogue {
  readonly plans: Plans
  readonly reload: (() => void) | undefined
}

/**
 * Reads the plans from the file, or returns the default ones without a file. Throws a ConfigurationError for a file
 * that can't be read or isn't a catalogue. When it is read again and is wrong, the log says why, and everything stays
 * as it was.
 */
export function openCatalogue(file: string | undefined, log: Log): OpenCatalogue {
  if (file === undefined) return { plans: new Plans(), reload: undefined }
  const plans = new Plans(readCatalogueFile(file))
  const reload = () => {
    try {
      plans.replace(readCatalogueFile(file))
      log.info('the catalogue of products was read again')
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      log.error(`the catalogue of products stays as it was: ${reason}`)
    }
  }
  return { plans, reload }
}

function readCatalogueFile(file: string): Catalogue {
  const { catalogue, problems } = readCatalogue(readText(file))
  if (catalogue) return catalogue
  const sentences = problems.map((problem) => `BILLING_CATALOGUE (${file}) ${problem}.`)
  throw new ConfigurationError(sentences)
}

function readText(file: string): string {
  try {
    // A character has four bytes at most.
    if (statSync(file).size > 4 * limits.catalogueLength) {
      throw new ConfigurationError([
        `BILLING_CATALOGUE (${file}) must have at most ${limits.catalogueLength} characters.`,
      ])
    }
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof ConfigurationError) throw error
    const code = (error as { code?: string }).code ?? 'unknown error'
    throw new ConfigurationError([
      `BILLING_CATALOGUE must name a file that can be read: ${file} can't (${code}).`,
    ])
  }
}
