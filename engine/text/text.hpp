#pragma once
// What printers return: characters, and spans that say which node each stretch of them shows.
// Terminals, JSON, HTML and windows all render this one value; spans nest like the tree they came from.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/text/node.hpp"

namespace trellis::text {

struct TextSpan {
  std::uint32_t begin = 0;  ///< byte offsets, half-open
  std::uint32_t end = 0;
  NodeId node;
  Origin origin;  ///< the node's own origins, so that links need no look-up
  bool operator==(const TextSpan&) const = default;
};

struct Text {
  std::string characters;
  std::vector<TextSpan> spans;  ///< ordered by begin, outer before inner
};

/// `first`, then `second`.
Text concat(Text first, const Text& second);

/// Builds a Text: append characters; open and close spans around them; indent lines.
class TextBuilder {
 public:
  TextBuilder& operator<<(std::string_view characters);
  TextBuilder& operator<<(char c);
  TextBuilder& operator<<(std::int64_t number);

  /// Ends the line; the next one starts with the current indentation.
  void newline();
  void indent() { ++depth_; }
  void dedent() { --depth_; }

  /// Starts the span of `node`; every `open` needs its `close`.
  void open(NodeId node, const Origin& origin);
  void close();

  /// RAII form of open and close.
  class Scope {
   public:
    Scope(TextBuilder& builder, NodeId node, const Origin& origin) : builder_(builder) { builder_.open(node, origin); }
    ~Scope() { builder_.close(); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    TextBuilder& builder_;
  };

  Text take();

 private:
  void start_line();
  Text text_;
  std::vector<std::size_t> open_;
  int depth_ = 0;
  bool at_line_start_ = true;
};

}  // namespace trellis::text
