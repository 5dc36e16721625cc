#pragma once
// A text that many hold and nobody changes, as long as a program: copies share it.

#include <compare>
#include <memory>
#include <string>

namespace trellis::session {

class SharedText {
 public:
  SharedText() = default;
  explicit SharedText(std::string text)
      : text_(text.empty() ? nullptr : std::make_shared<const std::string>(std::move(text))) {}

  bool empty() const { return !text_; }
  const std::string& str() const {
    static const std::string none;
    return text_ ? *text_ : none;
  }
  friend bool operator==(const SharedText& a, const SharedText& b) { return a.text_ == b.text_ || a.str() == b.str(); }
  friend std::strong_ordering operator<=>(const SharedText& a, const SharedText& b) {
    return a.text_ == b.text_ ? std::strong_ordering::equal : a.str() <=> b.str();
  }

 private:
  std::shared_ptr<const std::string> text_;
};

}  // namespace trellis::session
