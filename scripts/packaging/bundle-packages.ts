import { bundleSources } from './bundle-sources.ts'
import { copyDocsFiles } from './copy-docs-files.ts'
import { copyPluginPages } from './copy-plugin-pages.ts'
import { inlinedExports } from './inlined-exports.ts'
import { internalSource } from './internal-module.ts'
import type { Publication } from './publication.ts'
import { entryOf } from './published-specifier.ts'
import { internalEntry, lateEntry, type WorkspacePackage } from './workspace-package.ts'

/** Writes all that runs of the packages, each to the folder that `distOf` answers for it: JavaScript, source maps, and pages. */
export async function bundlePackages(
  publication: Publication,
  distOf: (each: WorkspacePackage) => string,
): Promise<void> {
  for (const each of publication.packages) {
    const writtenTexts = writtenFor(each, publication)
    await bundleSources(each, publication, { writtenTexts, dist: distOf(each) })
    if (each.name !== '@gateleg/http-express') continue
    copyDocsFiles(distOf(each))
    copyPluginPages(distOf(each))
  }
}

/** The texts of the entries of which there is no source, by their names: what other packages import of it. */
function writtenFor(
  each: WorkspacePackage,
  { sources, opening }: Publication,
): ReadonlyMap<string, string> {
  const others = [...sources].filter(([file]) => !file.startsWith(`${each.folder}/`))
  const texts = others.map(([, text]) => text)
  return new Map(
    [internalEntry, lateEntry].map((entry) => {
      const has = (specifier: string) => entryOf(each, specifier, opening.lateSpecifiers) === entry
      return [entry, internalSource(each, texts, has) + inlinedExports(each, texts, has)]
    }),
  )
}
