// What picture.js uses of Node, so that the type check needs no package.
declare module "node:fs" {
  export function readFileSync(path: string, encoding: "utf8"): string;
}
declare module "node:process" {
  export const argv: string[];
  export const stdout: { write(text: string): void };
  export const stderr: { write(text: string): void };
  export function exit(status: number): never;
}
