/** What is said of a link to a record that there is not, or that the caller may not link to. */
export function notLinkable(recordId: string): string {
  return `names "${recordId}", which is no record of the linked table`
}
