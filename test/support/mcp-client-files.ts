import type { ClientName } from '../../src/tools/mcp-install/clients.ts';

/** A configuration file as the documentation of a client shows it, or as the client writes it. */
export interface ClientFile {
  client: ClientName;
  what: string;
  text: string;
  /** The servers that are wrapped, and those that are not. */
  wrapped: readonly string[];
  unchanged: readonly string[];
}

const CODE_USER = `{
  "numStartups": 184,
  "installMethod": "native",
  "tipsHistory": {
    "new-user-warmup": 3
  },
  "projects": {
    "/home/ada/work/shop": {
      "allowedTools": [],
      "history": [],
      "mcpContextUris": [],
      "mcpServers": {
        "chrome-devtools": {
          "type": "stdio",
          "command": "npx",
          "args": [
            "chrome-devtools-mcp@latest"
          ],
          "env": {}
        }
      },
      "enabledMcpjsonServers": [],
      "hasTrustDialogAccepted": true,
      "lastCost": 0.1834520000000001
    },
    "/home/ada/notes": {
      "allowedTools": [],
      "mcpServers": {}
    }
  },
  "userID": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "mcpServers": {
    "airtable": {
      "type": "stdio",
      "command": "npx",
      "args": [
        "-y",
        "airtable-mcp-server"
      ],
      "env": {
        "AIRTABLE_API_KEY": "YOUR_KEY"
      }
    },
    "notion": {
      "type": "http",
      "url": "https://mcp.notion.com/mcp"
    },
    "asana": {
      "type": "sse",
      "url": "https://mcp.asana.com/sse"
    }
  }
}`;

export const CLIENT_FILES: readonly ClientFile[] = [
  {
    client: 'claude-code',
    // https://code.claude.com/docs/en/mcp: scopes local and user are in ~/.claude.json
    what: '~/.claude.json with servers of the scopes user and local',
    text: CODE_USER,
    wrapped: ['projects./home/ada/work/shop.mcpServers.chrome-devtools', 'mcpServers.airtable'],
    unchanged: ['mcpServers.notion', 'mcpServers.asana'],
  },
  {
    client: 'claude-code',
    // https://code.claude.com/docs/en/mcp: environment variables in .mcp.json
    what: '.mcp.json of a project, with variables',
    text: `{
  "mcpServers": {
    "shared-server": {
      "command": "/path/to/server",
      "args": [],
      "env": {}
    },
    "database-tools": {
      "command": "\${CLAUDE_PLUGIN_ROOT}/servers/db-server",
      "args": ["--config", "\${CLAUDE_PLUGIN_ROOT}/config.json"],
      "env": {
        "DB_URL": "\${DB_URL:-postgres://localhost}"
      }
    },
    "windows": { "command": "cmd", "args": ["/c", "npx", "-y", "@some/package"] }
  }
}
`,
    wrapped: ['mcpServers.shared-server', 'mcpServers.database-tools', 'mcpServers.windows'],
    unchanged: [],
  },
  {
    client: 'claude-desktop',
    // https://modelcontextprotocol.io/docs/develop/connect-local-servers
    what: 'claude_desktop_config.json on Windows',
    text: `{
  "globalShortcut": "Ctrl+Space",
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": [
        "-y",
        "@modelcontextprotocol/server-filesystem",
        "C:\\\\Users\\\\username\\\\Desktop",
        "C:\\\\Users\\\\username\\\\Downloads"
      ]
    },
    "weather": {
      "command": "C:\\\\Program Files\\\\uv\\\\uv.exe",
      "args": ["--directory", "C:\\\\ABSOLUTE\\\\PATH\\\\weather", "run", "weather.py"]
    }
  }
}
`.replaceAll('\n', '\r\n'),
    wrapped: ['mcpServers.filesystem', 'mcpServers.weather'],
    unchanged: [],
  },
  {
    client: 'cursor',
    // https://cursor.com/docs/mcp: STDIO, remote and environment variables
    what: '~/.cursor/mcp.json',
    text: `{
    "mcpServers": {
        "server-name": {
            "command": "npx",
            "args": ["-y", "mcp-server"],
            "env": { "API_KEY": "value" }
        },
        "python": { "type": "stdio", "command": "python", "args": ["mcp-server.py"], "envFile": ".env" },
        "one-line": { "command": "npx -y mcp-server" },
        "remote": { "url": "http://localhost:3000/mcp", "headers": { "API_KEY": "value" } }
    }
}
`,
    wrapped: ['mcpServers.server-name', 'mcpServers.python'],
    unchanged: ['mcpServers.one-line', 'mcpServers.remote'],
  },
  {
    client: 'vscode',
    // https://code.visualstudio.com/docs/agents/reference/mcp-configuration
    what: 'mcp.json with comments, inputs and a server in development',
    text: `{
	// Asked once, and stored by VS Code.
	"inputs": [
		{ "type": "promptString", "id": "perplexity-key", "description": "API key", "password": true },
	],
	"servers": {
		"perplexity": {
			"type": "stdio",
			"command": "npx", // the package is pinned
			"args": [
				"-y", // no question
				"server-perplexity-ask@0.1.3",
			],
			"env": { "PERPLEXITY_API_KEY": "\${input:perplexity-key}" },
		},
		"gistpad": {
			"type": "stdio",
			"command": "node",
			"cwd": "\${workspaceFolder}",
			"args": ["./build/index.js"],
			"dev": { "watch": "build/**/*.js", "debug": { "type": "node" } },
		},
		"memory": { "command": "mcp-server-memory" },
		"github": { "type": "http", "url": "https://api.githubcopilot.com/mcp/" },
	},
}
`,
    wrapped: ['servers.perplexity', 'servers.gistpad', 'servers.memory'],
    unchanged: ['servers.github'],
  },
  {
    client: 'codex',
    // https://github.com/openai/codex/blob/main/docs/config.md, https://developers.openai.com/codex/mcp
    what: 'config.toml with tables, inline tables and dotted keys',
    text: `model = "gpt-5.2"
approval_policy = "on-request" # ask
notify = ["python3", "/home/ada/notify.py"]

[projects."/home/ada/work/shop"]
trust_level = "trusted"

# Documentation
[mcp_servers.context7]
command = "npx" # pinned below
args = [
  "-y", # no question
  '@upstash/context7-mcp@1.0.2',
]
env = { "API_KEY" = "value" }
startup_timeout_sec = 20

[mcp_servers."with.dot"]
command = 'C:\\tools\\server.exe'

  [mcp_servers."with.dot".env]
  TOKEN = """
multi-line = "value"
"""

[mcp_servers.figma]
url = "https://mcp.figma.com/mcp"
bearer_token_env_var = "FIGMA_OAUTH_TOKEN"

[mcp_servers]
inline = { command = "uvx", args = ["mcp-server-time"], enabled = true }
bare = { command = "uvx" }
dotted.command = "docs-server"
dotted.cwd = "/srv"

[[profiles]]
mcp_servers.other.command = "not a server"

[tui]
theme = 2026-01-01T00:00:00Z`,
    wrapped: [
      'mcp_servers.context7',
      'mcp_servers.with.dot',
      'mcp_servers.inline',
      'mcp_servers.bare',
      'mcp_servers.dotted',
    ],
    unchanged: ['mcp_servers.figma'],
  },
];
