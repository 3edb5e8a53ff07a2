import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { bundleSources } from './bundle-sources.ts'
import { copyDocsFiles } from './copy-docs-files.ts'
import { copyPluginPages } from './copy-plugin-pages.ts'
import { inlinedExports } from './inlined-exports.ts'
import { internalSource } from './internal-module.ts'
import { root, type WorkspacePackage } from './workspace-package.ts'

/** Writes all that runs of the packages, each to the folder that `distOf` answers for it: JavaScript, source maps, and pages. */
export async function bundlePackages(
  packages: readonly WorkspacePackage[],
  distOf: (each: WorkspacePackage) => string,
): Promise<void> {
  for (const each of packages) {
    const others = packages.filter((other) => other !== each)
    const texts = sourceTexts(others.map(({ folder }) => basename(folder)))
    const internalText = internalSource(each, texts) + inlinedExports(each, texts)
    await bundleSources(each, packages, { internalText, dist: distOf(each) })
    if (each.name !== '@gateleg/http-express') continue
    copyDocsFiles(distOf(each))
    copyPluginPages(distOf(each))
  }
}

/** The texts of the sources of the packages in these folders; tests are none of them. */
export function sourceTexts(folders: readonly string[]): readonly string[] {
  return folders
    .flatMap((folder) => globSync(join(root, 'packages', folder, 'src/**/*.ts')))
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(file, 'utf8'))
}
