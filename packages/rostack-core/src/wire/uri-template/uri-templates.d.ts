declare module 'uri-templates' {
  interface UriTemplate {
    fromUri(uri: string, options: { readonly strict: boolean }): Record<string, unknown> | undefined;
  }
  export default function createUriTemplate(template: string): UriTemplate;
}
